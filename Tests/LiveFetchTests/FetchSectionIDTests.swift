import Foundation
import LiveListsTestSupport
import Snapshots
import Testing
import _TestTools

@testable import LiveFetch
@testable import LiveStore

@Suite("Identifiers of sections")
struct FetchSectionIDTests {
  enum Kind: String, FetchColumnValue { case picture, film }
  enum Level: Int, FetchColumnValue { case low = -1, high = 1 }

  @Test("A value's text is the one that frames have: it never changes")
  func texts() throws {
    let uuid = try #require(UUID(uuidString: "e621e1f8-c36c-495a-93fc-0c247a3e6e5f"))
    let texts: [(FetchSectionID, String)] = [
      (FetchSectionID("Fjörd"), "Fjörd"), (FetchSectionID(Kind.film), "film"),
      (FetchSectionID(Level.low), "-1"),
      (FetchSectionID(-7), "-7"), (FetchSectionID(Int64.max), "9223372036854775807"),
      (FetchSectionID(true), "1"),
      (FetchSectionID(false), "0"), (FetchSectionID(3.0), "3"), (FetchSectionID(-0.0), "0"),
      (FetchSectionID(0.1), "0.1"),
      (FetchSectionID(1e18), "1000000000000000000"), (FetchSectionID(1e19), "1e+19"),
      (FetchSectionID(-Double.infinity), "-inf"), (FetchSectionID(Data([0, 255])), "00ff"),
      (FetchSectionID(uuid), "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
      (FetchSectionID(uuid, stored: .uuidText), "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
      (FetchSectionID(Date(timeIntervalSince1970: 1.5)), "1500000"),
      (FetchSectionID(Date(timeIntervalSince1970: 1.5), stored: .dateSeconds), "1.5"),
      (FetchSectionID(Date(timeIntervalSince1970: 1.5), stored: .dateText), "1970-01-01 00:00:01.500"),
      (FetchSectionID(nil as Int?), ""), (FetchSectionID(nil as Kind?), ""), (FetchSectionID(""), ""),
      (FetchSectionID(UInt64.max), "18446744073709551615"),
    ]
    for (id, text) in texts {
      #expect(id.text == text && id.description == text && id == FetchSectionID(text))
      #expect(id.isEmpty == text.isEmpty && Set([id, FetchSectionID(text)]).count == 1)
    }
  }

  @Test("What is asked for another type than the column's throws, and NULL is nil or empty")
  func otherTypes() throws {
    let film = FetchSectionID(Kind.film)
    #expect(
      try film.value(as: Kind.self) == .film && film.value() == "film" && film.value(as: Kind?.self) == .film)
    let error = #expect(throws: FetchError.self) { try FetchSectionID("book").value(as: Kind.self) }
    #expect(error?.kind == .row && error?.description == "The section “book” is that of no Kind.")
    #expect(throws: FetchError.self) { try FetchSectionID(0).value(as: Level.self) }
    #expect(throws: FetchError.self) { try FetchSectionID(7).value(as: String.self) }
    for empty in [FetchSectionID(nil as Level?), FetchSectionID(nil as String?), ""] {
      #expect(try empty.value(as: Level?.self) == nil && empty.value(as: String.self) == "")
      #expect(try empty.value(as: Data.self).isEmpty && empty.value(as: String?.self) == nil)
      #expect(throws: FetchError.self) { try empty.value(as: Level.self) }
      #expect(throws: FetchError.self) { try empty.value(as: Kind.self) }
    }
  }

  @Test(
    "An identifier that came as text is read as the type is stored by itself; what stands for no value throws"
  )
  func fromText() throws {
    #expect(try FetchSectionID("-1").value(as: Level.self) == .low)
    #expect(try FetchSectionID("1500000").value(as: Date.self) == Date(timeIntervalSince1970: 1.5))
    #expect(try FetchSectionID("00ff").value(as: Data.self) == Data([0, 255]))
    for (text, isNumber) in [("x", false), ("1", true), ("0f", false), ("0fg0", false)] {
      #expect(((try? FetchSectionID(text).value(as: Int.self)) != nil) == isNumber)
    }
    for text in ["0", "0fg0", "x"] {
      #expect(throws: FetchError.self) { try FetchSectionID(text).value(as: Data.self) }
      #expect(throws: FetchError.self) { try FetchSectionID(text).value(as: UUID.self) }
    }
    #expect(
      try FetchSectionKind.day.identifier(of: .integer(86_400_000_000), .date).value(as: Date.self)
        == Date(timeIntervalSince1970: 86_400))
  }

  @Test(
    "Identifiers are encoded with what their values need, and decoded from strings, as they were written before"
  )
  func codable() throws {
    let ids: [FetchSectionID] = [
      FetchSectionID("a"), FetchSectionID(7),
      FetchSectionID(Date(timeIntervalSince1970: 1.5), stored: .dateSeconds),
      FetchSectionID(Date(timeIntervalSince1970: 1.5), stored: .dateText),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(ids)
    #expect(
      String(decoding: data, as: UTF8.self)
        == #"["a",{"text":"7","type":0},{"text":"1.5","type":8},{"text":"1970-01-01 00:00:01.500","type":7}]"#
    )
    let decoded = try JSONDecoder().decode([FetchSectionID].self, from: data)
    #expect(decoded == ids && decoded.map(\.type) == [nil, .integer, .dateSeconds, .dateText])
    for id in decoded[2...] { #expect(try id.value(as: Date.self) == Date(timeIntervalSince1970: 1.5)) }
    let before = try JSONEncoder().encode(["2026-07": [1, 2]] as DiffableSnapshot<String, Int>)
    #expect(
      try JSONDecoder().decode(DiffableSnapshot<FetchSectionID, Int>.self, from: before) == [
        "2026-07": [1, 2]
      ])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(FetchSectionID.self, from: Data(#"{"text":"7","type":99}"#.utf8))
    }
  }

  @Test(
    "Two values have one text only where they have one position in the order; but for NULL and what is empty",
    arguments: 0..<20)
  func injective(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for type in [
      FetchColumnType.integer, .real, .text, .blob, .uuid, .uuidText, .date, .dateText, .dateSeconds,
    ] {
      let values = (0..<60).map { _ in Self.value(type, &random) }
      let part = OrderPart(column: 0, type: type, source: .value, isDescending: false, nullsFirst: true)
      let known = values.map { value -> (key: [UInt8], id: FetchSectionID, value: FetchValue) in
        var writer = OrderKeyWriter()
        let isAdmitted = writer.append(value, part)
        #expect(isAdmitted)
        return (writer.bytes, FetchSectionKind.value.identifier(of: value, type), value)
      }
      for a in known {
        for b in known {
          let isOne = a.key == b.key || (a.id.isEmpty && b.id.isEmpty)
          #expect(a.id.text.utf8.elementsEqual(b.id.text.utf8) == isOne, "\(a.value), \(b.value) as \(type)")
        }
        #expect(a.id.isEmpty == [.null, .text(""), .blob([])].contains(a.value))
        // It is read back as the same value.
        let stored = Stored.$type.withValue(type) { try? a.id.value(as: Stored.self).value }
        var writer = OrderKeyWriter()
        let isAdmitted = writer.append(stored ?? .null, part)
        #expect(
          a.id.isEmpty || isAdmitted && writer.bytes == a.key,
          "\(a.value) as \(type) is read as \(stored ?? .null)")
      }
    }
  }

  /// The stored value itself, as a property would have it.
  struct Stored: FetchColumnValue {
    @TaskLocal static var type = FetchColumnType.text
    static var fetchColumnType: FetchColumnType { type }
    var value: FetchValue
    func fetchValue(as type: FetchColumnType) -> FetchValue? { value }
    init?(fetchValue: FetchValue, as type: FetchColumnType) { value = fetchValue }
  }

  private static func value(_ type: FetchColumnType, _ random: inout SplitMix) -> FetchValue {
    if Int.random(in: 0..<10, using: &random) == 0 { return .null }
    let number =
      [
        Int64.random(in: -3...3, using: &random), .random(in: .min ... .max, using: &random),
        1 << Int64.random(in: 0..<63, using: &random), .max, .min,
      ].randomElement(using: &random) ?? 0
    let text = String(
      String.UnicodeScalarView(
        (0..<Int.random(in: 0..<3, using: &random)).compactMap { _ in
          (["\0", "a", "A", "0", "1", "-", "é", "e", "\u{301}", "\u{10FFFF}"] as [Unicode.Scalar])
            .randomElement(using: &random)
        }))
    let real =
      [
        Double(Int.random(in: -3...3, using: &random)), 0.5, -0.0, .infinity, -.infinity,
        .leastNonzeroMagnitude, 1e18, 1e19,
        0x1p63, -0x1p63, 0x1p53 + 2, Double(bitPattern: .random(in: 0 ... .max, using: &random)),
      ].randomElement(using: &random) ?? 0
    switch type {
    case .integer, .date: return .integer(number)
    case .real, .dateSeconds:
      if Double(exactly: number) != nil, Bool.random(using: &random) { return .integer(number) }
      return real.isNaN ? .null : .real(real)
    case .text, .uuidText, .dateText: return .text(text)
    case .blob:
      return .blob(
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in
          [0, 1, 16, 255].randomElement(using: &random) ?? 0
        })
    case .uuid: return .blob((0..<16).map { _ in [0, 160].randomElement(using: &random) ?? 0 })
    }
  }
}
