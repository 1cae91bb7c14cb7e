/// Names for the files of an export, no two alike, also where case does not count, and none that means something else to a
/// file system or a shell. The manifest holds the names that the photos had.
enum ExportNames {
  static func make(for names: [String], numbered: Bool) -> [String] {
    let digits = max(3, String(names.count).count)
    // As text, not as bytes: some file systems take two spellings of an accent for one name.
    var taken: Set<String> = [folded(AlbumManifest.fileName)]
    return names.enumerated().map { index, name in
      let number = String(index + 1)
      let prefix = numbered ? String(repeating: "0", count: digits - number.count) + number + "_" : ""
      let dot = name.lastByte(of: ".") ?? name.endIndex
      var candidate = harmless(prefix + name)
      var copy = 2
      while !taken.insert(folded(candidate)).inserted {
        candidate = harmless("\(prefix)\(name[..<dot]) (\(copy))\(name[dot...])")
        copy += 1
      }
      return candidate
    }
  }

  /// A name without its case, by which file systems that ignore case compare: some take “ß” for “SS”, and a ligature for its letters.
  private static func folded(_ name: String) -> String { name.uppercased().lowercased() }

  /// The names that Windows takes for devices, with any suffix.
  private static let devices: Set<String> = {
    let numbers = (0...9).map(String.init) + ["¹", "²", "³"]
    return Set(
      ["con", "prn", "aux", "nul", "conin$", "conout$", "clock$"]
        + ["com", "lpt"].flatMap { port in numbers.map { port + $0 } })
  }()

  /// A name as it is, or with underscores where it would mean something: a device of Windows, an option of a command, a
  /// hidden file; or where some system would drop a part of it, as Windows drops dots and blanks at the end.
  static func harmless(_ name: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars { scalars.append(TextCleaning.isSpecialInNames(scalar) ? "_" : scalar) }
    var result = String(scalars)
    if let last = result.utf8.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { result += "_" }
    let stem = result.parts(between: ".", maxSplits: 1, omittingEmpty: false)[0]
    let device = stem.utf8.reversed().drop { $0 == UInt8(ascii: " ") }.reversed()
    let isDevice = devices.contains(String(decoding: device, as: UTF8.self).asciiLowercased)
    let isOption = ["-", ".", "~", " "].contains { result.beginsExactly(with: $0) }
    return isDevice || isOption || result.isEmpty ? "_" + result : result
  }
}
