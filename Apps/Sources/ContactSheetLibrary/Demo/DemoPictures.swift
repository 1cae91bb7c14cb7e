import Foundation

/// Sixty pictures for those who have no photos at hand: painted by arithmetic, the same on every machine.
package enum DemoPictures {
  /// How many there are.
  package static var count: Int { Landscape.Kind.allCases.count * Light.all.count }

  /// Paints the pictures into a folder as JPEG files with capture dates.
  ///
  /// - Parameters:
  ///   - folder: The folder; it is made if missing.
  ///   - count: How many, from the first.
  ///   - longSide: The longer side in pixels.
  ///   - report: Called after each with the number that are done.
  /// - Returns: The files.
  package static func write(
    to folder: String, count: Int = DemoPictures.count, longSide: Int = 1600,
    report: @Sendable (Int) -> Void = { _ in }
  ) async throws -> [String] {
    do throws(SystemError) {
      try Files.makeFolder(folder, withParents: true)
    } catch {
      throw ContactSheetError.writing(folder, error)
    }
    // Painting takes longer than to find that nothing can be written.
    try await blocking { try Vips.start() }
    var paths: [String] = []
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<min(max(0, count), Self.count) {
        let picture = DemoPicture(number: number)
        let path = "\(folder)/\(picture.title).jpg"
        paths.append(path)
        if number >= 2 { try await group.next() }
        group.addTask { try await blocking { try picture.write(to: path, longSide: longSide) } }
        report(number + 1)
      }
      try await group.waitForAll()
    }
    return paths
  }
}

/// One of the pictures.
struct DemoPicture: Sendable {
  let kind: Landscape.Kind
  let light: Light
  let number: Int

  init(number: Int) {
    self.number = number
    // Neighbours differ in both: stepping through kinds and light together visits every pair once.
    let kinds = Landscape.Kind.allCases
    kind = kinds[number % kinds.count]
    light = Light.all[(number / kinds.count + number) % Light.all.count]
  }

  var title: String { "\(kind.title) \(light.title)" }

  /// Every third picture stands upright, every seventh is square.
  func size(longSide: Int) -> (width: Int, height: Int) {
    let short = longSide * 2 / 3
    if number % 7 == 6 { return (short, short) }
    return number % 3 == 2 ? (short, longSide) : (longSide, short)
  }

  /// As EXIF writes dates: some days apart, at the hour that the light tells.
  var captured: String {
    let days = Calendar8601.days(year: 2024, month: 3, day: 1) + number * 9 + number * number % 5
    let (year, month, day) = Calendar8601.civil(fromDays: days)
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(year):\(two(month)):\(two(day)) \(two(light.hour)):\(two(number * 17 % 60)):\(two(number))"
  }

  func write(to path: String, longSide: Int) throws(ContactSheetError) {
    let (width, height) = size(longSide: longSide)
    let landscape = Landscape(kind: kind, light: light, seed: UInt64(number))
    let pixels = landscape.pixels(width: width, height: height)
    try PictureWriter.write(
      pixels, width: width, height: height, to: path, quality: 88, captured: captured)
  }
}
