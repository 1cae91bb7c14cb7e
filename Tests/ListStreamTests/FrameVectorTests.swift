import Foundation
import ListStream
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
    #expect(try Self.vectors().count >= 85)
  }

  @Test("The reader does what the vector says", arguments: try vectors())
  func vector(_ url: URL) throws {
    let vector = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
    var replica = ListStreamReplica()
    if let start = vector["start"], case .object(var frame) = start {
      frame["format"] = .integer(1)
      frame["kind"] = .string("snapshot")
      #expect(replica.receive(.object(frame)) == .applied(mutationIDs: []))
    }
    for frame in vector["frames"]?.array ?? [] {
      #expect(replica.receive(frame) == .applied(mutationIDs: []))
    }
    let before = replica
    let expected = try #require(vector["expected"])
    let outcome = try #require(expected["outcome"]?.string)
    if let range = vector["range"] {
      let names: [String: ListStreamReplica.RangeOutcome] = [
        "applied": .applied, "later": .later, "again": .again,
      ]
      #expect(replica.receive(range: range) == names[outcome])
    } else {
      let acts = (expected["acts"]?.array ?? []).compactMap(\.string)
      let names: [String: ListStreamReplica.Outcome] = [
        "applied": .applied(mutationIDs: acts), "ignored": .ignored, "resync": .resync,
        "unsupported": .unsupported,
      ]
      #expect(replica.receive(try #require(vector["frame"])) == names[outcome])
    }
    if outcome == "applied" {
      #expect(replica.version == version(expected))
      #expect(replica.sections == sections(expected))
      #expect(replica.contents == contents(expected))
      #expect(replica.failureMessage == expected["message"]?.string)
    } else {
      #expect(replica.sections == before.sections && replica.contents == before.contents)
      #expect(replica.version == before.version)
    }
  }

  /// The sections of a vector's state, in which items that are not known are `null`.
  private func sections(_ value: JSONValue) -> [ListStreamSection] {
    (value["sections"]?.array ?? []).map { section in
      ListStreamSection(
        id: section["id"]?.string ?? "", items: (section["items"]?.array ?? []).map(\.string))
    }
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
