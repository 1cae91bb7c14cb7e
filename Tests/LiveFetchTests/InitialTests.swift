import LiveFetch
import LiveListsTestSupport
import Snapshots
import Testing

@testable import LiveFetch

@Suite("Sections by the initial of a folded order")
struct InitialTests {
  @Test("“ı” has a section of its own, so that those of “i” and of what lies between stay whole")
  func dotless() async throws {
    let store = InMemoryStore()
    store.put(Piece(1, name: "Item"), Piece(2, name: "z"), Piece(3, name: "ısı"), Piece(4, name: "İz"))
    let controller = FetchController(
      FetchDescriptor<Piece>().ordered(by: .ascending(\.name, folded: true))
        .sectioned(by: .initial(\.name)), in: store)
    #expect(try await controller.performFetch() == ["I": [1, 4], "Z": [2], "ı": [3]])
    #expect(controller.sectionIndex().map(\.title) == ["I", "Z", "I"])
  }

  @Test("Whatever letter a text begins with, the rows of an initial follow one another")
  func allLetters() {
    // Behind each letter the least and the greatest that may follow, a mark that joins it, and a letter of another script.
    var texts: [String] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.isAlphabetic else { continue }
      texts.append(String(scalar))
      if value % 16 == 0 || value < 0x3000 {
        for next in ["\u{0}", "\u{20DD}", "\u{3042}", "\u{10FFFF}"] { texts.append(String(scalar) + next) }
      }
    }
    #expect(texts.count > 130_000)
    var folded = texts.map { (bytes: Array(TextFolding.fold($0).utf8), text: $0) }
    folded.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    var seen: Set<String> = []
    var bytes: [String: [UInt8]] = [:]
    var last: String?
    for (_, text) in folded {
      let name = FetchSectionKind.initial.name(of: .text(text), .text)
      // Names that Swift calls equal are one section; in SQL they have to be the same bytes as well.
      #expect(bytes[name, default: Array(name.utf8)] == Array(name.utf8), "\(text)")
      bytes[name] = Array(name.utf8)
      if name == last { continue }
      #expect(seen.insert(name).inserted, "the section “\(name)” begins again with “\(text)”")
      last = name
    }
    #expect(seen.isSuperset(of: ["A", "Z", "ı", "Д", "Ω", "가"]))
  }
}
