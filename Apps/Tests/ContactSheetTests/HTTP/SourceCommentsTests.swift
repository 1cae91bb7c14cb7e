import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct SourceCommentsTests {
  private func removed(_ text: String, _ contentType: String = "text/javascript; charset=utf-8") -> String {
    String(
      decoding: SourceComments.removed(from: Array(text.utf8), contentType: contentType), as: UTF8.self)
  }

  @Test func emptiesLinesThatAreComments() {
    #expect(removed("// a\nb();\n  // c\n") == "\nb();\n\n")
    #expect(removed("/** a */\nb();") == "\nb();")
    #expect(removed("  /**\n   * a\n   * // b\n   */\nc();\n") == "\n\n\n\nc();\n")
    #expect(removed("/* a\nb */\nc {}\n", "text/css; charset=utf-8") == "\n\nc {}\n")
    #expect(removed("/* never ends\na") == "\n")
  }

  @Test func leavesCodeBesideComments() {
    for text in ["a(); // b", "a(/* b */ c);", "const at = 'http://x'; /* b */", "a\n  .b(); // c\n", ""] {
      #expect(removed(text) == text)
    }
    #expect(removed("/* a */ b();") == " b();")
    #expect(removed("/* a\n b */ c();\n") == "\n c();\n")
    // In a style sheet that is none.
    #expect(removed("// a", "text/css; charset=utf-8") == "// a")
  }

  @Test func leavesOtherFiles() {
    #expect(removed("// a", "text/html; charset=utf-8") == "// a")
    #expect(removed("/* a */", "image/svg+xml") == "/* a */")
  }
}
