import LiveDrafts
import Testing

@Suite("Values of models as rows")
struct DraftModelTests {
  private struct Note: Codable, Identifiable, Sendable, DraftModel {
    var id: Int
    var text: String

    static let fetchTable = FetchTable<Note>(decoding: "note")
    init(id: Int, text: String) { (self.id, self.text) = (id, text) }
    init(fetchRow row: FetchRow) throws {
      self.init(id: try row.value("id", as: .integer), text: try row.value("text", as: .text))
    }
  }

  @Test("A table that was found by decoding says how its values can be had")
  func decoded() throws {
    let error = try #require(throws: FetchError.self) { try Note(id: 1, text: "a").fetchValues() }
    #expect("\(error)".contains("implement fetchValues(), or name the columns"))
  }
}
