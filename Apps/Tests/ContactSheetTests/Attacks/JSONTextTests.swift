import Foundation
import Testing

@testable import ContactSheetLibrary

/// JSON that two readers take for two things.
@Suite struct JSONTextTests {
  private func repeated(_ text: String, of names: [String]? = nil) throws -> String? {
    try JSONText.repeatedName(in: Array(text.utf8), of: names)
  }

  @Test(arguments: [
    (#"{"a":1,"b":2}"#, nil), (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"),
    (#"{"é":1,"\u00e9":1}"#, "é"),
    ("{\"e\u{301}\":1,\"é\":1}", nil), (#"{"\ud83d\ude00":1,"😀":1}"#, "😀"), (#"[{"a":1},{"a":1}]"#, nil),
    (#"[{"x":[{"a":{"b":1,"c":[],"b":2}}]}]"#, "b"), (#"{"a":{"a":{"a":[]}}}"#, nil), (#"{"":1,"":2}"#, ""),
    (#"{"\"":1,"\u0022":2}"#, "\""), ("\u{FEFF}{\"a\":1,\"a\":1}", "a"), (#" "a" "#, nil), ("-0.5e+7", nil),
  ])
  func aNameIsComparedByWhatItMeans(_ text: String, _ name: String?) throws {
    #expect(try repeated(text) == name)
  }

  @Test func ofSomeNamesOnlyTheOutermostCount() throws {
    #expect(try repeated(#"{"a":{"b":1,"b":2},"c":1,"c":2}"#, of: ["a", "b"]) == nil)
    #expect(try repeated(#"{"a":1,"c":1,"\u0061":2}"#, of: ["a", "b"]) == "a")
  }

  @Test(arguments: [
    "", "{", "}", "{]", "[}", #"{"a":1,}"#, "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a" 1}"#, #"{"a":}"#,
    "{a:1}", "{'a':1}", "NaN",
    "tru", "nulll", "01", "1.", ".5", "+1", "-", "1e", "\"", #""\x""#, #""\u12g4""#, "\"\n\"", "1 2", "{}x",
    "{} {}", "{}\0",
    "[1 2]", "/**/1", "\u{FEFF}\u{FEFF}1", "{}\u{FEFF}",
  ])
  func whatIsNoJSONIsNone(_ text: String) {
    #expect(throws: JSONText.Malformed.self) { try repeated(text) }
  }

  @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf32BigEndian])
  func otherEncodingsAreNone(_ encoding: String.Encoding) throws {
    let bytes = Array(try #require("{\"a\":1}".data(using: encoding)))
    #expect(throws: JSONText.Malformed.self) { try JSONText.repeatedName(in: bytes) }
    #expect(throws: JSONText.Malformed.self) { try JSONText.repeatedName(in: [0x22, 0xFF, 0x22]) }
  }

  /// A deep text takes memory by its length, and no stack.
  @Test func anyDepthIsRead() throws {
    let depth = 1_000_000
    let text = String(repeating: "[", count: depth) + #"{"a":0,"a":0}"# + String(repeating: "]", count: depth)
    #expect(try repeated(text) == "a")
    #expect(throws: JSONText.Malformed.self) { try repeated(String(repeating: "[{\"a\":", count: depth)) }
  }

  /// Foundation reads the same texts, commas behind the last member and members that are there twice aside.
  @Test(arguments: 0..<4)
  func randomTextsAreReadAsFoundationReadsThem(_ seed: Int) throws {
    var dice = SeededGenerator(seed: UInt64(seed))
    func text(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 4 ? 5 : 8), using: &dice) {
      case 0: return ["true", "false", "null"].randomElement(using: &dice)!
      case 1: return String(Double.random(in: -1e9...1e9, using: &dice))
      case 2: return String(Int.random(in: -99...99, using: &dice))
      case 3, 4: return ["\"\"", #""\n\u0061é""#, #""\\\"""#, "\"\u{7F}\""].randomElement(using: &dice)!
      case 5:
        return "["
          + (0..<Int.random(in: 0..<4, using: &dice)).map { _ in text(depth + 1) }.joined(separator: " , ")
          + "]"
      default:
        return "{"
          + (0..<Int.random(in: 0..<5, using: &dice)).map { "\"m\($0)\" :\(text(depth + 1))" }.joined(
            separator: ",") + "}"
      }
    }
    // No exponents: Foundation has no numbers of any size.
    let damage = Array(#"{}[]",:0-.\tu "#.utf8)
    for _ in 0..<2000 {
      var bytes = Array(text(0).utf8)
      if Bool.random(using: &dice), !bytes.isEmpty {
        let at = bytes.indices.randomElement(using: &dice)!
        if Bool.random(using: &dice) {
          bytes.remove(at: at)
        } else {
          bytes.insert(damage.randomElement(using: &dice)!, at: at)
        }
      }
      let isRead = (try? JSONText.repeatedName(in: bytes) as String??) != nil
      let isReadByFoundation =
        (try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)) != nil
      let written = String(decoding: bytes, as: UTF8.self)
      // What is read here, Foundation reads; the other way round it is more lenient.
      #expect(!isRead || isReadByFoundation, "\(written)")
    }
  }
}
