import Foundation

/// One line of a suite's table: a figure, what it is to be, and what it is beside a peer in the same run.
struct Row: Codable {
  /// The name of the measurement.
  var name: String
  /// The figure per operation, in `unit`; the median of several runs.
  var figure: Double
  var unit: String
  /// The most that the figure may be; nil where the row is for the record only.
  var target: Double?
  /// The same for a peer, and its name.
  var peer: Double?
  var peerName: String?
  /// The same at other sizes, by name.
  var others: [String: Double] = [:]
  /// Bounds on ratios, such as to the peer or to another size: what is bounded, the ratio, the bound.
  var bounds: [Bound] = []

  struct Bound: Codable {
    var name: String
    var ratio: Double
    var most: Double
    var isMet: Bool { ratio <= most }
  }

  var isMet: Bool { (target.map { figure <= $0 } ?? true) && bounds.allSatisfy(\.isMet) }
}

/// Collects the rows of a suite, prints each as it comes, and writes them all as JSON.
struct Report {
  let suite: String
  private(set) var rows: [Row] = []

  init(suite: String) { self.suite = suite }

  var isMet: Bool { rows.allSatisfy(\.isMet) }

  mutating func add(_ row: Row) {
    rows.append(row)
    var parts = [
      pad(row.isMet ? "ok" : "MISSED", 7), pad(row.name, 58), pad(number(row.figure, row.unit), 11),
    ]
    if let target = row.target { parts.append("target " + number(target, row.unit)) }
    for bound in row.bounds {
      parts.append("\(format(bound.ratio)) x \(bound.name) (at most \(format(bound.most)))")
    }
    if let peer = row.peer, let name = row.peerName {
      parts.append("\(name) \(number(peer, row.unit)), ratio \(format(row.figure / peer))")
    }
    if !row.others.isEmpty {
      let others = row.others.sorted { $0.key < $1.key }
      parts.append(others.map { "\($0.key): \(number($0.value, row.unit))" }.joined(separator: ", "))
    }
    print(parts.joined(separator: "  "))
  }

  /// Writes `bench-results/<suite>.json` below the current directory.
  func write() throws {
    struct File: Codable {
      var suite: String
      var isMet: Bool
      var rows: [Row]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try FileManager.default.createDirectory(atPath: "bench-results", withIntermediateDirectories: true)
    let data = try encoder.encode(File(suite: suite, isMet: isMet, rows: rows))
    try data.write(to: URL(fileURLWithPath: "bench-results/\(suite).json"))
  }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func number(_ value: Double, _ unit: String) -> String { "\(format(value)) \(unit)" }

  private func format(_ value: Double) -> String {
    value < 10
      ? String(format: "%.2f", value)
      : value < 100 ? String(format: "%.1f", value) : String(format: "%.0f", value)
  }
}
