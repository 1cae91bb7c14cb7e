import Foundation
import ListStream
import Snapshots
import Testing

/// The cases of `Vectors`, which every reader has to pass.
@Suite("Frame vectors")
struct FrameVectorTests {
  static func vectors() throws -> [URL] {
    let folder = Bundle.module.bundleURL.appendingPathComponent("Vectors")
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { $0.pathExtension == "json" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }

  @Test("There are vectors")
  func thereAreVectors() throws {
    #expect(try Self.vectors().count >= 37)
  }

  @Test("The reader does what the vector says", arguments: try vectors())
  func vector(_ url: URL) throws {
    let vector = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
    var replica = ListStreamReplica()
    if let start = vector["start"], start != .null {
      replica = ListStreamReplica(
        snapshot: try snapshot(start), contents: contents(start), version: try #require(version(start)))
    }
    let before = replica
    let outcome = replica.receive(try #require(vector["frame"]))
    let expected = try #require(vector["expected"])
    switch expected["outcome"]?.string {
    case "applied":
      #expect(outcome == .applied(acts: (expected["acts"]?.array ?? []).compactMap(\.string)))
      #expect(replica.version == version(expected))
      #expect(replica.snapshot == (try snapshot(expected)))
      #expect(replica.contents == contents(expected))
      #expect(replica.failureMessage == expected["message"]?.string)
    case let other:
      let names: [String: ListStreamReplica.Outcome] = [
        "ignored": .ignored, "resync": .resync, "unsupported": .unsupported,
      ]
      #expect(outcome == names[try #require(other)])
      #expect(replica.snapshot == before.snapshot && replica.contents == before.contents)
      #expect(replica.version == before.version)
    }
  }

  private func snapshot(_ value: JSONValue) throws -> DiffableSnapshot<String, String> {
    try DiffableSnapshot(
      sections: (value["sections"]?.array ?? []).map { section in
        (section["id"]?.string ?? "", (section["items"]?.array ?? []).compactMap(\.string))
      })
  }

  private func contents(_ value: JSONValue) -> [String: JSONValue] {
    guard case .object(let members) = value["content"] else { return [:] }
    return members
  }

  private func version(_ value: JSONValue) -> ListStreamVersion? {
    guard let epoch = value["epoch"]?.string, let sequence = value["seq"]?.integer else { return nil }
    return ListStreamVersion(epoch: epoch, sequence: sequence)
  }
}
