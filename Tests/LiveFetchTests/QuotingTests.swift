import LiveFetch
import Testing

/// Names in SQL, as SQL reads them.
@Suite struct QuotingTests {
  @Test(arguments: [
    ("a", "\"a\""), ("a\"b", "\"a\"\"b\""), ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
    ("\u{D4E}\"", "\"\u{D4E}\"\"\""), ("", "\"\""),
  ])
  func aQuoteBesideAMarkIsAQuote(_ name: String, _ quoted: String) {
    // By bytes: to `==` some of these are the same either way.
    #expect(Array(SQLText.quoted(name).utf8) == Array(quoted.utf8))
  }
}
