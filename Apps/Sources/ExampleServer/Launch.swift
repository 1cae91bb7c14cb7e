import Foundation

/// The words with which an example was started, and the folder of its files.
struct Launch: Sendable {
  /// Words that are none of the program's, and what they should be.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static var program: String { (CommandLine.arguments.first as NSString?)?.lastPathComponent ?? "example" }

  private(set) var port = 8080
  private(set) var options: [String: String] = [:]
  let folder: URL
  private let isTemporary: Bool

  init(_ arguments: [String], options names: [String], word wordName: String?) throws {
    let usage =
      "Usage: \(Self.program) [PORT]" + (wordName.map { " [\($0)]" } ?? "") + " [--data FOLDER]"
      + names.map { " [--\($0) VALUE]" }.joined()
    var words = arguments.dropFirst()
    while let word = words.popFirst() {
      if word.hasPrefix("--") {
        let name = String(word.dropFirst(2))
        guard names.contains(name) || name == "data", let value = words.popFirst(), !value.isEmpty else {
          throw Mistake(description: "\(word) is no option, or has no value. \(usage)")
        }
        options[name] = value
      } else if let number = UInt16(word) {
        port = Int(number)
      } else if let wordName, options[wordName] == nil, !word.isEmpty {
        options[wordName] = word
      } else {
        throw Mistake(
          description: "\(word) is no port: a number from 0 (any that is free) to 65535. \(usage)")
      }
    }
    isTemporary = options["data"] == nil
    folder =
      options["data"].map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? FileManager.default.temporaryDirectory.appendingPathComponent("livelists-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true,
      attributes: isTemporary ? [.posixPermissions: 0o700] : nil)
  }

  static func say(_ text: String) { FileHandle.standardError.write(Data("\(program): \(text)\n".utf8)) }

  func removeTemporaryFolder() {
    guard isTemporary else { return }
    // SQLite removes its journal when the last list lets go of the database, which can be now: a removal that misses it ends there.
    for _ in 1...10 where FileManager.default.fileExists(atPath: folder.path) {
      try? FileManager.default.removeItem(at: folder)
    }
  }
}
