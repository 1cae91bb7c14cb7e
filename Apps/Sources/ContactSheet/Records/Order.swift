import Foundation

/// Ranks as the database stores them. (Stands in until the library's own type is there.)
enum Order {
  static func ranks(_ count: Int, after lower: Data?, before upper: Data?) throws -> [Data] {
    var result: [Data] = []
    func fill(_ count: Int, _ lower: [UInt8], _ upper: [UInt8]?) {
      guard count > 0 else { return }
      let middle = between(lower, upper)
      let half = count / 2
      fill(half, lower, middle)
      result.append(Data(middle))
      fill(count - half - 1, middle, upper)
    }
    fill(count, lower.map { [UInt8]($0) } ?? [], upper.map { [UInt8]($0) })
    return result
  }

  private static func between(_ lower: [UInt8], _ upper: [UInt8]?) -> [UInt8] {
    var result: [UInt8] = []
    var bound = upper
    var place = 0
    while true {
      let low = place < lower.count ? Int(lower[place]) : 0
      let high = bound.map { place < $0.count ? Int($0[place]) : 0 } ?? 256
      if high - low >= 2 {
        result.append(UInt8((low + high) / 2))
        return result
      }
      result.append(UInt8(low))
      if high > low { bound = nil }
      place += 1
    }
  }
}
