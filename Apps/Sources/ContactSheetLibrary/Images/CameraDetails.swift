import CVipsShim

/// The data of a picture file about the camera, the lens, the exposure and the place; each part is `nil` where it says nothing.
package struct CameraDetails: Sendable, Hashable, Codable {
  /// The camera's maker and model, such as “FUJIFILM X-T5”.
  package var camera: String?
  /// The lens.
  package var lens: String?
  /// The time of exposure in seconds.
  package var exposure: Double?
  /// The f-number.
  package var aperture: Double?
  /// The sensitivity by ISO.
  package var iso: Int?
  /// The focal length in millimetres.
  package var focalLength: Double?
  /// Degrees north of the equator, -90…90; there is a longitude then, too.
  package var latitude: Double?
  /// Degrees east of Greenwich, -180…180.
  package var longitude: Double?
}

extension CameraDetails {
  /// The longest text that is taken from a file, in bytes.
  private static let textLimit = 120

  /// Takes what a header says; `nil` where that is nothing. Numbers that mean nothing are passed over.
  init?(_ raw: cs_header) {
    camera = Self.camera(make: Self.text(raw.make), model: Self.text(raw.model))
    lens = Self.text(raw.lens)
    exposure = Self.numbers(raw.exposure).first.flatMap { (0.000_001...86_400).contains($0) ? $0 : nil }
    aperture = Self.numbers(raw.aperture).first.flatMap { (0.1...1000).contains($0) ? $0 : nil }
    iso = Self.numbers(raw.sensitivity).first.flatMap { (1...10_000_000).contains($0) ? Int($0) : nil }
    focalLength = Self.numbers(raw.focal_length).first.flatMap { (0.1...100_000).contains($0) ? $0 : nil }
    let latitude = Self.degrees(raw.latitude, side: raw.latitude_side, "N", "S", limit: 90)
    let longitude = Self.degrees(raw.longitude, side: raw.longitude_side, "E", "W", limit: 180)
    if let latitude, let longitude { (self.latitude, self.longitude) = (latitude, longitude) }
    if self == CameraDetails() { return nil }
  }

  /// Makers often begin the model with their own name.
  private static func camera(make: String?, model: String?) -> String? {
    guard let make, let model else { return model ?? make }
    return model.lowercased().beginsExactly(with: make.lowercased()) ? model : "\(make) \(model)"
  }

  private static func string(_ field: some Any) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static func text(_ field: some Any) -> String? {
    let line = TextCleaning.oneLine(string(field), limit: textLimit)
    return line.isEmpty ? nil : line
  }

  /// The numbers of a field such as "52/1 31/1 617/50"; those that are none end it.
  private static func numbers(_ field: some Any) -> [Double] {
    var numbers: [Double] = []
    for part in string(field).split(separator: " ") {
      let terms = part.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
      guard (1...2).contains(terms.count), let above = terms[0], let below = terms.count == 2 ? terms[1] : 1,
        below != 0, (above / below).isFinite
      else { break }
      numbers.append(above / below)
    }
    return numbers
  }

  private static func degrees(
    _ field: some Any, side: some Any, _ positive: String, _ negative: String, limit: Double
  ) -> Double? {
    let (numbers, side) = (numbers(field), string(side))
    guard (1...3).contains(numbers.count), numbers.allSatisfy({ $0 >= 0 }),
      side.isExactly(positive) || side.isExactly(negative)
    else { return nil }
    let sum = zip(numbers, [1, 60, 3600]).reduce(0) { $0 + $1.0 / $1.1 }
    // A millionth of a degree is a tenth of a metre.
    let rounded = (sum * 1_000_000).rounded() / 1_000_000
    return sum <= limit ? (side.isExactly(negative) ? -rounded : rounded) : nil
  }
}
