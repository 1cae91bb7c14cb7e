import Foundation

@testable import ContactSheetLibrary

extension WorkerAnswer {
  /// The command by which a shell that stands in for a worker gives this answer.
  var saidByShell: String {
    get throws { "echo '\(String(decoding: try JSONEncoder().encode(self), as: UTF8.self))' >&0" }
  }
}
