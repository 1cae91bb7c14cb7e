import Foundation
import Testing

@testable import ContactSheetLibrary

@Suite struct ImageProbeTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  @Test(arguments: ImageFormat.allCases)
  func readsTheHeaderOfEveryFormat(_ format: ImageFormat) throws {
    let path = try TestPictures.write(
      to: "\(folder.path)/a.\(format.fileExtension)", captured: "2024:05:06 07:08:09")
    let header = try ImageProbe.header(of: path, named: "a", pixelLimit: 1_000_000)
    #expect(header.format == format)
    #expect((header.width, header.height) == (120, 80))
    let hasDate = [.jpeg, .webp, .heic].contains(format)
    #expect(header.captureDate?.iso8601 == (hasDate ? "2024-05-06T07:08:09Z" : nil))
    #expect(ImageFormat.claimed(by: try TestPictures.bytes(path)) == format)
  }

  @Test func givesTheSizeOfTheUprightPicture() throws {
    let path = try TestPictures.write(to: folder.path + "/a.jpg", orientation: 6)
    let header = try ImageProbe.header(of: path, named: "a", pixelLimit: 1_000_000)
    #expect((header.width, header.height, header.orientation) == (80, 120, 6))
  }

  @Test func turnsTheThumbnailUpright() throws {
    let path = try TestPictures.write(to: folder.path + "/a.jpg", orientation: 6)
    let small = try Thumbnailer.write(
      from: path, to: folder.path + "/t", box: 60, hasProfile: false, named: "a")
    #expect((small.width, small.height) == (40, 60))
    // Red was at the left, which is up once the picture is turned; the file itself carries no orientation.
    let header = try ImageProbe.header(of: folder.path + "/t", named: "t", pixelLimit: 10_000)
    #expect((header.width, header.height, header.orientation) == (40, 60, 1))
  }

  @Test func neverEnlarges() throws {
    let path = try TestPictures.write(to: folder.path + "/a.png", width: 30, height: 20)
    let small = try Thumbnailer.write(
      from: path, to: folder.path + "/t", box: 480, hasProfile: false, named: "a")
    #expect((small.width, small.height) == (30, 20))
  }

  @Test func tellsTheAverageColour() throws {
    let path = folder.path + "/a.png"
    try PictureWriter.write([UInt8](repeating: 0x40, count: 300), width: 10, height: 10, to: path)
    let small = try Thumbnailer.write(
      from: path, to: folder.path + "/t", box: 480, hasProfile: false, named: "a")
    #expect(small.color.css == "#404040")
  }

  @Test func leavesMetadataOutOfThumbnails() throws {
    let path = try TestPictures.write(to: folder.path + "/a.jpg", captured: "2024:05:06 07:08:09")
    _ = try Thumbnailer.write(from: path, to: folder.path + "/t", box: 60, hasProfile: false, named: "a")
    let header = try ImageProbe.header(of: folder.path + "/t", named: "t", pixelLimit: 10_000)
    #expect(header.captureDate == nil)
  }

  @Test(arguments: [(30_000, 30_000), (2_000_000, 2_000_000), (1, 2_000_000_000)] as [(UInt32, UInt32)])
  func refusesTooManyPixelsByTheHeaderAlone(_ size: (UInt32, UInt32)) async throws {
    let path = folder.path + "/bomb.png"
    try TestPictures.put(TestPictures.lyingPNG(width: size.0, height: size.1), at: path)
    let request = DecodeRequest(
      source: path, target: folder.path + "/t", name: "bomb.png", box: 480,
      pixelLimit: Settings().pixelLimit)
    let failure = await #expect(throws: ContactSheetError.self) {
      try await InProcessDecoder().decode(request)
    }
    #expect(failure?.message.contains("bomb.png") == true)
    // A width or height that libpng itself does not take is an error of the file.
    #expect([.tooManyPixels, .damaged, .notAnImage].contains(failure?.code))
    if size.0 == 30_000 {
      #expect(failure?.code == .tooManyPixels)
      #expect(failure?.message.contains("30000 × 30000") == true)
      #expect(failure?.message.contains("--max-megapixels") == true)
    }
    #expect(Files.size(folder.path + "/t") == nil)
  }

  @Test(arguments: ImageFormat.allCases)
  func refusesTruncatedFiles(_ format: ImageFormat) async throws {
    let path = try TestPictures.write(
      to: "\(folder.path)/cut.\(format.fileExtension)", width: 640, height: 480)
    let whole = try TestPictures.bytes(path)
    try TestPictures.put(whole.prefix(whole.count / 2), at: path)
    let request = DecodeRequest(
      source: path, target: folder.path + "/t", name: "cut", box: 480, pixelLimit: 1_000_000)
    let failure = await code { try await InProcessDecoder().decode(request) }
    #expect([.truncated, .damaged].contains(failure))
    #expect(format != .jpeg || failure == .truncated)
  }

  @Test func refusesWhatIsNoPicture() async throws {
    for (name, text) in [
      ("a.jpg", "just text\n"), ("b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>"), ("c.jpg", ""),
    ] {
      let path = folder.path + "/" + name
      try TestPictures.put(text.utf8, at: path)
      let failure = await code { try ImageProbe.header(of: path, named: name, pixelLimit: 1000) }
      #expect(failure == .notAnImage, "\(name)")
    }
  }
}

@Suite struct TimestampTests {
  @Test(arguments: [
    ("2024:05:06 07:08:09", "", "2024-05-06T07:08:09Z"), ("2024:02:29 23:59:59", "", "2024-02-29T23:59:59Z"),
    ("1969:12:31 23:59:59", "", "1969-12-31T23:59:59Z"),
    ("2000:01:01 00:30:00", "+02:00", "1999-12-31T22:30:00Z"),
    ("2000:01:01 00:30:00", "-03:30", "2000-01-01T04:00:00Z"),
  ])
  func readsWhatCamerasWrite(_ text: String, _ offset: String, _ expected: String) {
    #expect(Timestamp(exif: text, offset: offset)?.iso8601 == expected)
  }

  @Test(arguments: [
    "", "0000:00:00 00:00:00", "2023:02:29 10:00:00", "2024:13:01 10:00:00", "yesterday", "2024:05:06",
  ])
  func takesNothingThatIsNoDate(_ text: String) { #expect(Timestamp(exif: text) == nil) }

  @Test func agreesWithItselfOnEveryDay() {
    for days in stride(from: -200_000, through: 200_000, by: 97) {
      let (year, month, day) = Calendar8601.civil(fromDays: days)
      #expect(Calendar8601.days(year: year, month: month, day: day) == days)
    }
  }
}
