import LiveFetch
import Testing

/// Names as SQL reads them.
@Suite("Names in SQL")
struct QuotingTests {
  @Test(
    "A quote is doubled, also beside a mark that forms one character with it",
    arguments: [
      ("a", "\"a\""), ("a\"b", "\"a\"\"b\""), ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
      ("\u{D4E}\"", "\"\u{D4E}\"\"\""), ("", "\"\""),
    ])
  func quoted(_ name: String, _ quoted: String) {
    // By bytes: to `==` some of these are the same either way.
    #expect(Array(SQLText.quoted(name).utf8) == Array(quoted.utf8))
  }
}
