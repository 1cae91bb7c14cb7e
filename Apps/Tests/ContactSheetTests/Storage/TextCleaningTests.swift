import Foundation
import Testing

@testable import ContactSheetLibrary

@Suite struct TextCleaningTests {
  @Test(arguments: [
    ("IMG_1.jpg", "IMG_1.jpg"), ("../../etc/passwd", "passwd"), ("C:\\photos\\a.jpg", "a.jpg"),
    ("a\u{0}b\u{7}c\nd.jpg", "abc d.jpg"), ("\u{202E}gpj.exe", "gpj.exe"), ("", "photo"), ("...", "photo"),
    ("/", "photo"), (".hidden.jpg", "hidden.jpg"), ("  two   words .jpg ", "two words .jpg"),
    ("e\u{301}té.jpg", "été.jpg"), ("👩‍👩‍👧.png", "👩‍👩‍👧.png"), ("a:b*c?.jpg", "abc.jpg"),
  ])
  func makesFileNamesSafe(_ name: String, _ expected: String) {
    #expect(TextCleaning.fileName(name) == expected)
  }

  @Test(arguments: [4000, 40_000]) func keepsTheSuffixOfOverlongNames(_ length: Int) {
    let name = TextCleaning.fileName(String(repeating: "ä", count: length) + ".jpeg")
    #expect(name.utf8.count <= 180)
    #expect(name.hasSuffix("ä.jpeg"))
  }

  @Test func takesHashesOnlyAsTheyAreWritten() {
    let good = String(repeating: "0a", count: 32)
    #expect(ContentHash(good) != nil)
    for bad in [
      "", "..", good.uppercased(), good + "0", String(good.dropLast()) + "/", String(good.dropLast()) + "g",
    ] {
      #expect(ContentHash(bad) == nil, "\(bad)")
    }
  }

  @Test func ordersNumberedNamesAsPeopleDo() {
    let names = ["IMG_10.jpg", "IMG_9.jpg", "img_1.jpg", "IMG_010.jpg", "a.jpg", "IMG_2 b.jpg"]
    #expect(
      names.sorted { NaturalOrder.Key($0) < NaturalOrder.Key($1) }
        == ["a.jpg", "img_1.jpg", "IMG_2 b.jpg", "IMG_9.jpg", "IMG_010.jpg", "IMG_10.jpg"])
  }
}
