import LiveLists

/// Pictures for those who have none at hand: hills below a sky, painted by arithmetic, the same on every machine.
enum Sample {
  private static let width = 320
  private static let height = 240

  /// Writes two dozen of them as bitmaps of some days.
  static func write(to folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for number in 1...24 {
      let url = folder.appendingPathComponent("Hills \(number).bmp")
      try bitmap(number).write(to: url)
      let date = Date(timeIntervalSince1970: 1_780_000_000 + Double(number) * 40_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
    }
  }

  private static func bitmap(_ number: Int) -> Data {
    // A bitmap's header: its numbers are little-endian, and the rows follow from the last to the first, in blue, green and red.
    let numbers = [54 + width * height * 3, 0, 54, 40, width, height, 1 | 24 << 16, 0, 0, 0, 0, 0, 0]
    var bytes = Array("BM".utf8)
    for number in numbers {
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }
    // The colours go once around in the course of the pictures; sky and hills are opposite one another.
    func color(_ light: Double, _ turn: Double) -> [UInt8] {
      [0.0, 2.1, 4.2].map { part in UInt8(light * (150 + 90 * sin(Double(number) * 0.262 + turn + part))) }
    }
    let hills = [0.45, 0.65, 0.9].map { light in color(light, 3) }
    let edges = (0..<width).map { x in
      hills.indices.map { hill in
        let (position, turn) = (Double(x) / Double(width), Double(number * (hill + 2)))
        let wave = sin(position * (5 + Double(hill)) + turn) + 0.4 * sin(position * 17 + turn * 1.7)
        return Int(Double(height) * (0.62 - 0.17 * Double(hill) + 0.07 * wave))
      }
    }
    for y in 0..<height {
      let sky = color(0.75 + 0.25 * Double(y) / Double(height), 0)
      for x in 0..<width {
        // Those in front hide the rest.
        let hill = edges[x].lastIndex { y < $0 }
        bytes += hill.map { hills[$0] } ?? sky
      }
    }
    return Data(bytes)
  }
}
