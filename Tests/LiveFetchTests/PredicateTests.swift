import Foundation
import LiveFetch
import _TestTools
import Testing

@Suite("Filters")
struct PredicateTests {
  struct Limits: Codable, Sendable {
    var low = 2
    var high: Int? = 6
  }

  static let owner = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
  static let limits = Limits()
  static let names = ["a", "Fjord", ""]
  static let moment = Date(timeIntervalSince1970: 1_000)
  static let done = Piece.State.done
  static let none: String? = nil

  static let predicates: [Predicate<Piece>] = [
    #Predicate { $0.key == 3 },
    #Predicate { $0.key != 3 && $0.isStarred },
    #Predicate { !($0.key > 2) || $0.name == "a" },
    #Predicate { $0.key >= 2 && $0.key <= 4 },
    #Predicate { $0.name < "Fjord" },
    #Predicate { $0.note == nil },
    #Predicate { $0.note != nil },
    #Predicate { $0.note != "x" },
    #Predicate { $0.note == none },
    #Predicate { ($0.note ?? "x") == "x" },
    #Predicate { $0.note?.isEmpty == true },
    #Predicate { $0.note?.contains("x") ?? false },
    #Predicate { !($0.note?.contains("x") ?? true) },
    #Predicate { $0.note.flatMap { $0 > "b" } ?? false },
    #Predicate { ($0.weight ?? -1) > 0.5 },
    #Predicate { if let weight = $0.weight { weight < 1 } else { false } },
    #Predicate { names.contains($0.name) },
    #Predicate { (1...3).contains($0.key) },
    #Predicate { (1..<3).contains($0.key) },
    #Predicate { $0.key >= limits.low && $0.key < (limits.high ?? 0) },
    #Predicate { $0.name.contains("jor") },
    #Predicate { $0.name.starts(with: "Fj") },
    #Predicate { $0.name.isEmpty },
    #Predicate { !$0.name.isEmpty },
    #Predicate { $0.name.localizedStandardContains("FJÖ") },
    #Predicate { $0.owner == owner },
    #Predicate { ($0.taken ?? moment) >= moment },
    #Predicate { $0.taken == moment },
    #Predicate { $0.state == done },
    #Predicate { $0.isStarred == false },
    #Predicate { $0.isStarred ? $0.key > 2 : $0.key < 2 },
    #Predicate { $0.name == $0.section },
    #Predicate { _ in true },
    #Predicate { _ in false },
  ]

  static func piece(_ random: inout SplitMix) -> Piece {
    Piece(
      .random(in: 0..<1_000, using: &random), ["a", "Fjord"].randomElement(using: &random) ?? "",
      .random(in: 0..<7, using: &random),
      name: ["", "a", "Fjord", "fjord", "FJÖRD", "ajor", "b"].randomElement(using: &random) ?? "",
      note: [nil, "", "x", "axb", "c"].randomElement(using: &random) ?? nil,
      weight: [nil, 0, 0.5, 0.75, 3].randomElement(using: &random) ?? nil,
      taken: [nil, moment, moment.addingTimeInterval(1), .distantPast].randomElement(using: &random) ?? nil,
      owner: Bool.random(using: &random) ? owner : Piece.nobody, isStarred: .random(using: &random),
      state: Bool.random(using: &random) ? .open : .done)
  }

  @Test(
    "A compiled filter says of every row what Foundation's evaluation says", arguments: predicates.indices)
  func agreement(_ index: Int) throws {
    let predicate = Self.predicates[index]
    let plan = try FetchDescriptor<Piece>().filter(predicate).ordered(by: .ascending(\.id)).plan()
    var random = SplitMix(seed: 7)
    for _ in 0..<300 {
      let piece = Self.piece(&random)
      let row = piece.row
      let holds = plan.filter.holds { row[plan.columns[$0].name] ?? .null }
      #expect(try holds == predicate.evaluate(piece), "\(predicate) of \(piece): \(plan.filter.sql.sql)")
    }
  }

  @Test("Values are bound, never part of the text")
  func binding() throws {
    let evil = "'; DROP TABLE piece; --"
    let plan = try FetchDescriptor<Piece>().filter(#Predicate { $0.name == evil }).ordered(
      by: .ascending(\.id)
    ).plan()
    #expect(
      plan.query.sql
        == #"SELECT "id", "name" FROM "piece" WHERE ("name" COLLATE BINARY IS ?) ORDER BY "id" ASC, "id""#)
    #expect(plan.query.values == [.text(evil)])
  }

  @Test("What has no column or no SQL is refused by name when the request is built")
  func refusals() {
    let unknown = FetchDescriptor<Piece>().filter(#Predicate { $0.name.count > 3 })
    #expect(unknown.validationError?.kind == .unsupportedExpression)
    let strange = FetchDescriptor<Piece>().filter(#Predicate { $0.key + 1 > 3 })
    #expect(strange.validationError?.kind == .unsupportedExpression)
    #expect(FetchDescriptor<Piece>().limit(-1).validationError?.kind == .negativeLimit)
    #expect(FetchDescriptor<Piece>().ordered(by: .ascending(\.key, folded: true)).validationError != nil)
    #expect(FetchDescriptor<Piece>().sectioned(by: .month(\.key)).validationError != nil)
    #expect(throws: FetchDescriptorError.self) { try unknown.ordered(by: .ascending(\.id)).validated() }
  }

  @Test("A refusal names the part in words, and says what to do instead")
  func wordsOfRefusals() throws {
    let refused: [(FetchDescriptor<Piece>, String)] = [
      (
        FetchDescriptor<Piece>().filter(#Predicate { $0.name.count > 3 }),
        "a property of a value of type String"
      ),
      (FetchDescriptor<Piece>().filter(#Predicate { $0.key + 1 > 3 }), "in SQL: arithmetic (`+`, `-`, `*`)."),
    ]
    for (request, part) in refused {
      let text = try #require(request.validationError).description
      #expect(text.contains(part) && text.contains("Store the value that you filter by"), "\(text)")
      #expect(!text.contains("<") && !text.contains("0x"), "\(text)")
    }
    let error = try #require(
      FetchDescriptor<Piece>().ordered(by: .ascending(\.name.isEmpty)).validationError)
    #expect(error.kind == .unknownColumn && error.description.contains("`fetchTable`"))
    #expect(!error.description.contains("<") && !error.description.contains("0x"), "\(error)")
  }

  @Test("Folded text has neither case nor diacritics, whether it is ASCII or not")
  func folding() {
    for (text, folded) in [
      ("Fjord 7", "fjord 7"), ("CRÈME brûlée", "creme brulee"), ("ÅSE", "ase"), ("", ""),
    ] {
      #expect(TextFolding.fold(text) == folded && TextFolding.fold(folded) == folded)
    }
  }

  @Test("Equalities that every row must meet are known, others are not")
  func routing() throws {
    let one = 1
    let plan = try FetchDescriptor<Piece>()
      .filter(#Predicate { $0.section == "a" && ($0.key == one || $0.isStarred) })
      .filter(#Predicate { $0.name == "b" }).ordered(by: .ascending(\.id)).plan()
    #expect(plan.requiredEqualities.map(\.column) == ["section", "name"])
  }
}

@Suite("Dates in text")
struct CalendarDateTests {
  @Test("Every moment comes back from its text")
  func roundTrip() throws {
    var random = SplitMix(seed: 3)
    for _ in 0..<2_000 {
      let milliseconds = Int64.random(in: -62_000_000_000_000...250_000_000_000_000, using: &random)
      let date = Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
      let stored = try #require(date.fetchValue(as: .dateText))
      let back = try #require(Date(fetchValue: stored, as: .dateText))
      #expect(abs(back.timeIntervalSince(date)) < 0.001, "\(stored)")
    }
  }

  @Test("The form is GRDB's, and other common forms are read")
  func forms() {
    let date = Date(timeIntervalSince1970: 951_782_400.25)
    #expect(date.fetchValue(as: .dateText) == .text("2000-02-29 00:00:00.250"))
    for text in ["2000-02-29 00:00:00.250", "2000-02-29T00:00:00.25Z"] {
      #expect(Date(fetchValue: .text(text), as: .dateText) == date)
    }
    #expect(Date(fetchValue: .text("2000-02-29"), as: .dateText) == Date(timeIntervalSince1970: 951_782_400))
    #expect(Date(fetchValue: .text("nonsense"), as: .dateText) == nil)
  }
}
