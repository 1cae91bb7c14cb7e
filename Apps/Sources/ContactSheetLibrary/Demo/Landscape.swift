import Foundation

/// A picture of layers behind each other under a sky, from a seed.
struct Landscape: Sendable {
  enum Kind: CaseIterable, Sendable {
    case ridges, sea, dunes, forest, islands, hills, canyon, lake, city, peaks

    var title: String {
      switch self {
      case .ridges: "Blue ridges"
      case .sea: "Open sea"
      case .dunes: "Dunes"
      case .forest: "Pine forest"
      case .islands: "Islands"
      case .hills: "Rolling hills"
      case .canyon: "Canyon"
      case .lake: "Mountain lake"
      case .city: "City"
      case .peaks: "Three peaks"
      }
    }

    /// How many layers, and how rough their edges are.
    var layers: Int {
      switch self {
      case .sea: 0
      case .islands, .lake, .city: 3
      case .canyon, .peaks: 4
      default: 6
      }
    }

    var hasWater: Bool { self == .sea || self == .islands || self == .lake }
  }

  let kind: Kind
  let light: Light
  let seed: UInt64

  /// The pixels, row by row, three bytes each.
  func pixels(width: Int, height: Int) -> [UInt8] {
    let (w, h) = (Double(width), Double(height))
    let noise = Noise(seed: seed)
    let waterline = kind.hasWater ? Int(h * 0.62) : height
    let edges = (0..<kind.layers).map { layer in
      (0..<width).map { x in edge(layer, x: Double(x) / h, noise: noise, waterline: Double(waterline) / h) * h
      }
    }
    let discX = w * (0.25 + 0.5 * noise.value(3, 17))
    let discY = h * (1 - light.discHeight)
    let radius = min(w, h) * (light.stars ? 0.045 : 0.06)
    var pixels = [UInt8](repeating: 0, count: width * height * 3)
    var at = 0
    for y in 0..<height {
      let isWater = y >= waterline
      // What is in the water is the picture above it, upside down, drawn out and broken by waves.
      let depth = Double(y - waterline) / h
      for x in 0..<width {
        var (px, py) = (Double(x), Double(y))
        if isWater {
          let wave = noise.smooth(px / h * 14, depth * 160) - 0.5
          py = max(0, Double(waterline) - depth * h * 1.3 + wave * h * 0.05)
          px = min(w - 1, max(0, px + wave * h * 0.03 * (1 + depth * 4)))
        }
        // What is in front hides the rest, so only that is painted.
        let column = Int(px)
        var color: Color
        if let layer = edges.lastIndex(where: { py > $0[column] }) {
          color = land(layer, px, py, below: py - edges[layer][column], h, noise)
        } else {
          color = sky(px, py, w, h, discX, discY, radius, noise)
        }
        if isWater { color = color.mixed(with: light.zenith, 0.25 + depth * 0.5) }
        let grain = (noise.value(x, y) - 0.5) * 0.02
        pixels[at] = byte(color.red + grain)
        pixels[at + 1] = byte(color.green + grain)
        pixels[at + 2] = byte(color.blue + grain)
        at += 3
      }
    }
    return pixels
  }

  private func land(
    _ layer: Int, _ x: Double, _ y: Double, below: Double, _ h: Double, _ noise: Noise
  ) -> Color {
    let share = Double(layer + 1) / Double(kind.layers)
    let shade = light.far.mixed(with: light.near, share * share)
    // Haze gathers at the foot of each layer.
    let haze = min(1, below / (h * 0.25)) * 0.35 * (1 - share)
    let color = shade.mixed(with: light.horizon, haze)
    switch kind {
    case .canyon:
      let band = noise.smooth(y / h * 30, Double(layer)) - 0.5
      return color.mixed(with: Color(0xB5563A), 0.35 + band * 0.3)
    case .city where noise.value(Int(x / h * 90) + layer * 977, Int(y / h * 70)) > 0.86:
      return color.mixed(with: Color(0xFFDFA0), light.stars ? 0.8 : 0.25)
    default:
      return color
    }
  }

  private func sky(
    _ x: Double, _ y: Double, _ w: Double, _ h: Double, _ discX: Double, _ discY: Double,
    _ radius: Double, _ noise: Noise
  ) -> Color {
    let share = min(1, y / (h * 0.75))
    var color = light.zenith.mixed(with: light.horizon, share * share * (3 - 2 * share))
    if light.stars, noise.value(Int(x / h * 900), Int(y / h * 900)) > 0.9985 {
      color = color.mixed(with: Color(0xFFFFFF), 1 - share)
    }
    let cloud = noise.fractal(x / h * 2.2 + 9, y / h * 7) - 0.52
    if cloud > 0 { color = color.mixed(with: light.disc, cloud * (light.stars ? 0.5 : 1.6)) }
    let distance = ((x - discX) * (x - discX) + (y - discY) * (y - discY)).squareRoot()
    let glow = max(0, 1 - distance / (h * light.glow))
    color = color.mixed(with: light.disc, glow * glow * 0.8)
    return color.mixed(with: light.disc, (radius - distance) / 2 + 0.5)
  }

  /// The upper edge of a layer, as a share of the height from the top.
  private func edge(_ layer: Int, x: Double, noise: Noise, waterline: Double) -> Double {
    let depth = Double(layer + 1) / Double(max(1, kind.layers))
    let row = Double(layer) * 31.7
    switch kind {
    case .ridges: return 0.45 + depth * 0.4 - noise.fractal(x * 2.2 + row, row) * 0.28
    case .dunes: return 0.5 + depth * 0.42 - noise.smooth(x * 1.1 + row, row) * 0.22
    case .hills: return 0.48 + depth * 0.42 - noise.smooth(x * 1.7 + row, row) * 0.16
    case .peaks: return 0.5 + depth * 0.32 - peak(x * (1.1 + depth) + row) * 0.42 * (1.1 - depth)
    case .forest:
      let tree = abs((x * (26 - depth * 12)).truncatingRemainder(dividingBy: 1) - 0.5) * 2
      let size = 0.03 + 0.09 * depth
      return 0.5 + depth * 0.4 - noise.fractal(x * 1.6 + row, row) * 0.18 - (1 - tree) * size
    case .canyon:
      let wall = noise.fractal(x * 1.8 + row, row)
      return 0.42 + depth * 0.38 - (wall * 5).rounded() / 5 * 0.4
    case .city:
      let block = Int(x * (14 + 6 * depth))
      return 0.62 + depth * 0.12 - noise.value(block, layer * 53) * 0.34 * (1.2 - depth * 0.5)
    case .islands, .lake:
      let height = kind == .lake ? noise.fractal(x * 2 + row, row) * 0.45 : noise.smooth(x * 1.5 + row, row)
      let rise = kind == .lake ? height * (1.1 - depth * 0.6) : max(0, height - 0.5) * 0.5
      return waterline - rise
    case .sea: return 1
    }
  }

  private func peak(_ x: Double) -> Double {
    let share = abs(x.truncatingRemainder(dividingBy: 1) - 0.5) * 2
    return 1 - share + Noise(seed: seed &+ 5).fractal(x * 6, 1) * 0.2
  }

  private func byte(_ value: Double) -> UInt8 { UInt8(min(255, max(0, value * 255))) }
}

/// Repeatable noise: the same numbers for the same seed and position.
struct Noise: Sendable {
  let seed: UInt64

  /// A number from 0 to 1 for a point of a grid.
  func value(_ x: Int, _ y: Int) -> Double {
    var bits = UInt64(bitPattern: Int64(x)) &* 0x9E37_79B9_7F4A_7C15
    bits ^= UInt64(bitPattern: Int64(y)) &* 0xC2B2_AE3D_27D4_EB4F
    bits = (bits ^ seed &* 0x1656_67B1_9E37_79F9) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 31) &* 0x94D0_49BB_1331_11EB
    return Double((bits ^ bits >> 29) >> 11) / 9_007_199_254_740_992
  }

  /// Numbers between the points of the grid, without edges.
  func smooth(_ x: Double, _ y: Double) -> Double {
    let (left, top) = (x.rounded(.down), y.rounded(.down))
    let (column, row) = (Int(left), Int(top))
    let (fx, fy) = (x - left, y - top)
    let (u, v) = (fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy))
    let upper = value(column, row) * (1 - u) + value(column + 1, row) * u
    let lower = value(column, row + 1) * (1 - u) + value(column + 1, row + 1) * u
    return upper * (1 - v) + lower * v
  }

  /// Four octaves of it.
  func fractal(_ x: Double, _ y: Double) -> Double {
    (smooth(x, y) * 8 + smooth(x * 2 + 5, y * 2) * 4 + smooth(x * 4 + 7, y * 4) * 2
      + smooth(x * 8 + 9, y * 8)) / 15
  }
}
