/// Reads when a TIFF or PNG picture was taken: libvips does not tell. Only the few numbers that lead to the date are
/// read, each at an offset that was checked to be inside the file.
enum EXIFDates {
  /// The dates that a file's directories hold, as text; empty where there is none.
  static func read(_ source: OpenFile, _ format: ImageFormat) -> (taken: String, offset: String) {
    let part = FilePart(file: source, start: 0, size: source.size)
    let exif = format == .png ? part.exifOfPNG : part
    guard let file = exif.flatMap({ TIFFFile($0) }), let first = file.firstDirectory else { return ("", "") }
    let root = file.directory(at: first)
    // The camera's own directory: when the picture was taken, else when it was digitised.
    let camera = root[0x8769].flatMap { file.number($0) }.map { file.directory(at: $0) } ?? [:]
    let taken = [camera[0x9003], camera[0x9004], root[0x0132]].compactMap { $0 }
      .compactMap { file.text($0) }.first
    return (taken ?? "", camera[0x9011].flatMap { file.text($0) } ?? "")
  }
}

/// A part of a file.
private struct FilePart {
  let file: OpenFile
  let start: Int
  let size: Int

  /// Bytes of the part, or `nil` where it has not so many.
  func bytes(_ offset: Int, _ count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { return nil }
    let bytes = file.bytes(at: start + offset, count: count)
    return bytes.count == count ? bytes : nil
  }

  /// The contents of the chunk `eXIf` of a PNG.
  var exifOfPNG: FilePart? {
    var at = 8
    for _ in 0..<10_000 {
      guard let head = bytes(at, 8) else { return nil }
      let length = head.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      guard length <= size - at - 8 else { return nil }
      if Array(head.suffix(4)) == Array("eXIf".utf8) {
        return FilePart(file: file, start: start + at + 8, size: length)
      }
      at += length + 12
    }
    return nil
  }
}

/// A TIFF file's directories.
private struct TIFFFile {
  /// A field of a directory: its type, how many values, and the four bytes that hold or point to them.
  struct Field {
    var type: Int
    var count: Int
    var value: [UInt8]
  }

  private let part: FilePart
  private let isLittle: Bool

  init?(_ part: FilePart) {
    guard let head = part.bytes(0, 4) else { return nil }
    self.part = part
    switch head {
    case [0x49, 0x49, 42, 0]: isLittle = true
    case [0x4D, 0x4D, 0, 42]: isLittle = false
    default: return nil
    }
  }

  var firstDirectory: Int? { part.bytes(4, 4).map(value) }

  /// The fields of a directory by their tags; none where it does not lie in the file.
  func directory(at offset: Int) -> [Int: Field] {
    guard let head = part.bytes(offset, 2) else { return [:] }
    let count = min(value(head), 1000)
    guard let body = part.bytes(offset + 2, count * 12) else { return [:] }
    var fields: [Int: Field] = [:]
    for at in stride(from: 0, to: body.count, by: 12) {
      let field = Field(
        type: value(Array(body[(at + 2)..<(at + 4)])), count: value(Array(body[(at + 4)..<(at + 8)])),
        value: Array(body[(at + 8)..<(at + 12)]))
      fields[value(Array(body[at..<(at + 2)]))] = field
    }
    return fields
  }

  /// A field of one number.
  func number(_ field: Field) -> Int? {
    switch field.type {
    case 3: value(Array(field.value.prefix(2)))
    case 4, 13: value(field.value)
    default: nil
    }
  }

  /// A field of text: at most as long as a date.
  func text(_ field: Field) -> String? {
    guard field.type == 2, field.count > 0 else { return nil }
    let count = min(field.count, 64)
    let raw = field.count <= 4 ? Array(field.value.prefix(count)) : part.bytes(value(field.value), count)
    let text = raw.map { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return text?.isEmpty == false ? text : nil
  }

  private func value(_ bytes: [UInt8]) -> Int {
    (isLittle ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | Int($1) }
  }
}
