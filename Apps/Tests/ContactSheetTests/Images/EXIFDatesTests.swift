import Foundation
import Testing

@testable import ContactSheetLibrary

@Suite struct EXIFDatesTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  /// A TIFF of one grey pixel with directories by hand.
  static func tiff(isLittle: Bool, taken: String?, changed: String? = nil, offset: String? = nil) -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      return isLittle ? bytes : bytes.reversed()
    }
    func field(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value
        + [UInt8](repeating: 0, count: 4 - value.count)
    }
    func long(_ tag: Int, _ value: Int) -> [UInt8] { field(tag, 4, 1, number(value, 4)) }
    // Fixed offsets: texts from 400 on, the camera's directory at 300, the pixel at 500.
    var bytes: [UInt8] = (isLittle ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(8, 4)
    var root: [[UInt8]] = [
      long(256, 1), long(257, 1), field(258, 3, 1, number(8, 2)), field(259, 3, 1, number(1, 2)),
      field(262, 3, 1, number(1, 2)), long(273, 500), field(277, 3, 1, number(1, 2)), long(278, 1),
      long(279, 1),
    ]
    if changed != nil { root.append(field(306, 2, 20, number(420, 4))) }
    root.append(long(0x8769, 300))
    bytes += number(root.count, 2) + root.joined() + number(0, 4)
    bytes += [UInt8](repeating: 0, count: 300 - bytes.count)
    var camera: [[UInt8]] = []
    if taken != nil { camera.append(field(0x9003, 2, 20, number(400, 4))) }
    if offset != nil { camera.append(field(0x9011, 2, 7, number(440, 4))) }
    bytes += number(camera.count, 2) + camera.joined() + number(0, 4)
    for (text, offset) in [(taken, 400), (changed, 420), (offset, 440)] {
      bytes += [UInt8](repeating: 0, count: max(0, offset - bytes.count))
      bytes += Array((text ?? "").utf8)
    }
    bytes += [UInt8](repeating: 0, count: 500 - bytes.count)
    return bytes + [128]
  }

  @Test(arguments: [true, false])
  func readsWhenATIFFWasTaken(_ isLittle: Bool) throws {
    let path = folder.path + "/a.tiff"
    for (taken, changed, offset, expected) in [
      ("2024:05:06 07:08:09", nil, nil, "2024-05-06T07:08:09Z"),
      ("2024:05:06 07:08:09", "2025:01:01 00:00:00", "+02:00", "2024-05-06T05:08:09Z"),
      (nil, "2025:01:01 00:00:00", nil, "2025-01-01T00:00:00Z"), (nil, nil, nil, nil),
      ("0000:00:00 00:00:00", nil, nil, nil),
    ] as [(String?, String?, String?, String?)] {
      try TestPictures.put(
        Self.tiff(isLittle: isLittle, taken: taken, changed: changed, offset: offset), at: path)
      let header = try ImageProbe.header(of: path, named: "a", pixelLimit: 1000)
      #expect(header.captureDate?.iso8601 == expected)
    }
  }

  @Test func readsWhenAPNGWasTaken() throws {
    let path = try TestPictures.write(to: folder.path + "/a.png")
    var bytes = try TestPictures.bytes(path)
    let exif = Self.tiff(isLittle: false, taken: "2024:05:06 07:08:09")
    // After the header chunk, which ends at 33.
    bytes.insert(contentsOf: TestPictures.chunk("eXIf", exif), at: 33)
    try TestPictures.put(bytes, at: path)
    #expect(
      try ImageProbe.header(of: path, named: "a", pixelLimit: 100_000).captureDate?.iso8601
        == "2024-05-06T07:08:09Z")
  }

  @Test(arguments: [7, 8, 9] as [UInt64])
  func whateverIsBrokenGivesNoDateAndNoCrash(_ seed: UInt64) throws {
    var dice = SeededGenerator(seed: seed)
    let path = folder.path + "/a.tiff"
    for _ in 0..<400 {
      var bytes = Self.tiff(
        isLittle: Bool.random(using: &dice), taken: "2024:05:06 07:08:09", offset: "+02:00")
      for _ in 0..<Int.random(in: 1...10, using: &dice) {
        bytes[Int.random(in: 0..<460, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
      try TestPictures.put(bytes, at: path)
      for format in [ImageFormat.tiff, .png] {
        #expect(try EXIFDates.read(path, format).taken.utf8.count <= 64 * 3)
      }
    }
  }
}
