import ListStream
import Testing

@Suite("The query of a reader")
struct QueryTests {
  @Test("Fields are read as browsers write them, and what is wrong counts as missing")
  func fields() {
    let query = ListStreamQuery("since=k3v9x2.41&window=120%2C60&from=5&count=7&content=0&query=a%26b")
    #expect(query.version == "k3v9x2.41" && query.window == ListStreamWindow(from: 120, count: 60))
    #expect(query.rows == ListStreamWindow(from: 5, count: 7) && !query.wantsContents)
    #expect(ListStreamQuery("window=120,60").window == ListStreamWindow(from: 120, count: 60))
    #expect(ListStreamQuery("window=60&window=7").window == ListStreamWindow(count: 60))
    for wrong in [
      "", "window", "window=%ZZ", "window=-1", "from=1", "count=2", "from=a&count=2", "&&=&",
      "from=1,2&count=3",
    ] {
      let query = ListStreamQuery(wrong)
      #expect(
        query.version == nil && query.window == nil && query.rows == nil && query.wantsContents, "\(wrong)")
    }
    #expect(ListStreamQuery(nil) == ListStreamQuery(""))
  }

  @Test(
    "A sign with an accent behind it divides as it does alone",
    arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
  func accents(_ accent: String) {
    let query = ListStreamQuery("x=1&\(accent)=2&from=5&count=7&y=\(accent)1&content=0")
    #expect(query.rows == ListStreamWindow(from: 5, count: 7) && !query.wantsContents)
    #expect(ListStreamQuery("z&\(accent)&since=\(accent)&window=60").window == ListStreamWindow(count: 60))
    #expect(ListStreamQuery("since=e.1&\(accent)").version?.description == "e.1")
  }
}
