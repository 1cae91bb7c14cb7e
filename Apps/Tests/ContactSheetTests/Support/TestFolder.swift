import Foundation
import _TestTools
import Logging
import Testing

@testable import ContactSheetLibrary

/// A folder that goes when the test is over.
final class TestFolder: Sendable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  var path: String { folder.path }

  var data: DataFolder { DataFolder(path: path + "/data") }

  /// Every file below a folder of the data folder, by its path there.
  func files(in folder: String) -> [String] {
    let root = data.path + "/" + folder
    return (FileManager.default.subpaths(atPath: root) ?? []).filter { Files.size(root + "/" + $0) != nil }
      .sorted()
  }

  func library(
    _ settings: Settings = Settings(), decoder: any ImageDecoder = InProcessDecoder()
  ) async throws -> PhotoLibrary {
    try await PhotoLibrary.open(data, settings: settings, decoder: decoder, logger: .quiet)
  }
}

extension Logger {
  /// Says nothing: what tests provoke is no news.
  static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

/// Repeatable dice. The seed is told with each failure.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }
}

/// The program that was built beside the tests.
enum Program {
  static var path: String {
    URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appendingPathComponent("contact-sheet").path
  }

  static func decoder(seconds: Double = 30) -> WorkerDecoder {
    WorkerDecoder(.init(executable: path, workers: 2, secondsPerPicture: seconds), logger: .quiet)
  }
}
