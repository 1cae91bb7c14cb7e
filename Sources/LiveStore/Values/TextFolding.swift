import Foundation

/// Text without case and without diacritics: the form that searches and folded sort keys compare.
public enum TextFolding {
  /// Folds text, the same way on every platform and in every locale.
  /// - Complexity: O(*n*) in the length of the text; one pass over the bytes when it is ASCII.
  public static func fold(_ text: String) -> String {
    var text = text
    let isASCII = text.withUTF8 { $0.allSatisfy { $0 < 0x80 } }
    if isASCII { return text.lowercased() }
    let folded = text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
    // Characters that Unicode calls the same become the same bytes: sections are distinguished by text, and rows ordered by
    // bytes. Below U+0300, which UTF-8 begins with CC, there are none.
    return folded.utf8.contains { $0 >= 0xCC } ? folded.precomposedStringWithCanonicalMapping : folded
  }
}
