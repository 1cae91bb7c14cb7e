import Foundation

@testable import ContactSheetLibrary

/// Picture files, made when they are needed.
enum TestPictures {
  /// Writes a picture whose pixels follow from its number: red at the left, blue at the right.
  @discardableResult
  static func write(
    to path: String, number: Int = 0, width: Int = 120, height: Int = 80, captured: String? = nil,
    orientation: Int = 1, quality: Int = 85
  ) throws -> String {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 3)
    for y in 0..<height {
      let green = UInt8(truncatingIfNeeded: number &* 37 &+ y)
      pixels += line([200, green, 20], width / 2) + line([20, green, 200], width - width / 2)
    }
    // The number itself is in the first pixels, so that no two pictures are the same file.
    for digit in 0..<8 { pixels[digit * 24] = UInt8(truncatingIfNeeded: number >> (digit * 4)) & 15 * 17 }
    try PictureWriter.write(
      pixels, width: width, height: height, to: path, quality: quality, captured: captured,
      orientation: orientation)
    return path
  }

  /// A pixel many times over. It is copied twice as often each time: pixel by pixel takes seconds without optimisation.
  private static func line(_ pixel: [UInt8], _ count: Int) -> ArraySlice<UInt8> {
    var line = pixel
    while line.count < count * 3 { line += line }
    return line.prefix(count * 3)
  }

  /// A PNG of a few bytes whose header claims a size, with right checksums and no pixels worth speaking of.
  static func lyingPNG(width: UInt32, height: UInt32) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0])
    bytes += chunk("IDAT", [0x78, 0x9C, 0x63, 0, 0, 0, 1, 0, 1])
    bytes += chunk("IEND", [])
    return bytes
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(UInt32(content.count)) + body + big(checksum(body))
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - $0 * 8)) }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  static func put(_ bytes: some Sequence<UInt8>, at path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}

/// The code of the error that work throws, or `nil` where it succeeds.
func code(of work: () async throws -> some Any) async -> ContactSheetError.Code? {
  do {
    _ = try await work()
    return nil
  } catch {
    return (error as? ContactSheetError)?.code ?? ContactSheetError.Code(rawValue: "\(error)")
  }
}

extension ImageProbe {
  static func header(of path: String, named name: String, pixelLimit: Int) throws -> ImageHeader {
    try header(of: OpenFile(reading: path), named: name, pixelLimit: pixelLimit)
  }
}

extension Thumbnailer {
  static func write(
    from path: String, to target: String, box: Int, hasProfile: Bool, named name: String
  ) throws -> (width: Int, height: Int, color: AverageColor) {
    try write(
      from: OpenFile(reading: path), to: .init(file: OpenFile(writing: target), box: box),
      hasProfile: hasProfile,
      named: name)
  }
}

extension EXIFDates {
  static func read(_ path: String, _ format: ImageFormat) throws -> (taken: String, offset: String) {
    read(try OpenFile(reading: path), format)
  }
}
