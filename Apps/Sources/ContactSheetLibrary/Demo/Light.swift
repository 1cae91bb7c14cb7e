/// A colour as three numbers from 0 to 1.
struct Color: Sendable {
  var red: Double
  var green: Double
  var blue: Double

  init(_ hex: Int) {
    red = Double(hex >> 16 & 255) / 255
    green = Double(hex >> 8 & 255) / 255
    blue = Double(hex & 255) / 255
  }

  /// This colour with a share of another.
  func mixed(with other: Color, _ share: Double) -> Color {
    let share = min(1, max(0, share))
    var result = self
    result.red += (other.red - red) * share
    result.green += (other.green - green) * share
    result.blue += (other.blue - blue) * share
    return result
  }
}

/// The light of a time of day: the sky from top to horizon, the sun or moon, the land from far to near.
struct Light: Sendable {
  var title: String
  var hour: Int
  var zenith: Color
  var horizon: Color
  var disc: Color
  /// How far the disc's glow reaches, as a share of the picture's height.
  var glow: Double
  /// Height of the disc over the lower edge, 0…1.
  var discHeight: Double
  var far: Color
  var near: Color
  var stars: Bool

  static let all = [
    Light(
      title: "at dawn", hour: 5, zenith: Color(0x5B7DB1), horizon: Color(0xF7C8A8), disc: Color(0xFFF3DC),
      glow: 0.45, discHeight: 0.42, far: Color(0xC99AA5), near: Color(0x2E3350), stars: false),
    Light(
      title: "at noon", hour: 12, zenith: Color(0x2F7EC7), horizon: Color(0xCFE8F5), disc: Color(0xFFFFF4),
      glow: 0.25, discHeight: 0.85, far: Color(0x9FC3D6), near: Color(0x1F5B4A), stars: false),
    Light(
      title: "in the golden hour", hour: 18, zenith: Color(0x6E86A8), horizon: Color(0xFFD27A),
      disc: Color(0xFFF6C9), glow: 0.6, discHeight: 0.5, far: Color(0xE0A868), near: Color(0x4A2E1F),
      stars: false),
    Light(
      title: "at dusk", hour: 20, zenith: Color(0x2B2A5A), horizon: Color(0xF0766B), disc: Color(0xFFD9B0),
      glow: 0.5, discHeight: 0.36, far: Color(0xA5577B), near: Color(0x1B1733), stars: false),
    Light(
      title: "at night", hour: 23, zenith: Color(0x060B1F), horizon: Color(0x26406B), disc: Color(0xF4F1E0),
      glow: 0.2, discHeight: 0.72, far: Color(0x1E3355), near: Color(0x050914), stars: true),
    Light(
      title: "in the mist", hour: 8, zenith: Color(0xA9B9BF), horizon: Color(0xE6E7E1), disc: Color(0xFAF8F0),
      glow: 0.7, discHeight: 0.6, far: Color(0xC9D1CF), near: Color(0x46595A), stars: false),
  ]
}
