import Foundation
import Testing

/// "When it goes wrong" has a row for each public error, and no row for what is none.
@Suite struct ErrorGuideTests {
  private static let api = GuideBlockTests.files("Documentation/API", ".txt")

  /// The errors of the public API, by its records: types, cases of errors that are enumerations, and kinds.
  private static func errors() throws -> Set<String> {
    var errors: Set<String> = []
    for file in api {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      let types = Set(
        lines.compactMap { line in
          line.wholeMatch(of: /([\w.]+): conforms to (.*)/).flatMap { match in
            match.2.split(separator: ", ").contains { $0 == "Error" || $0 == "Swift.Error" } ? match.1 : nil
          }
        })
      for type in types {
        let cases = lines.compactMap { line in
          line.firstMatch(of: /^([\w.]+): (?:case|static let) (\w+)/).flatMap { match in
            match.1 == type || match.1 == "\(type).Kind" ? "\(type).\(match.2)" : nil
          }
        }
        errors.formUnion(cases.isEmpty ? [String(type)] : cases)
      }
    }
    return errors
  }

  @Test("Each public error has a row that says its cause and its cure")
  func complete() throws {
    let article = GuideBlockTests.root.appending(path: "Sources/LiveLists/LiveLists.docc/WhenItGoesWrong.md")
    let rows = try String(contentsOf: article, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    var described: Set<String> = []
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 3 && cells.allSatisfy { !$0.isEmpty }, "not a name, a cause and a cure: \(row)")
      described.insert(cells[0].trimmingCharacters(in: ["`"]))
    }
    let errors = try Self.errors()
    #expect(errors.count >= 40)
    #expect(errors.subtracting(described).sorted() == [], "errors that the guide does not have")
    #expect(described.subtracting(errors).sorted() == [], "rows of errors that are not there")
  }
}
