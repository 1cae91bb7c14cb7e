import Foundation
import LiveFetch
import Snapshots
import _TestTools

extension FetchStoreConformance {
  /// Sections are those of the values of a column, in the order of the values, whatever they are; their identifiers give the values
  /// back, and their texts are the same from every store.
  public func sectionsAreOfValues(_ subject: any ConformanceSubject) async throws {
    let questions: [any SectionQuestion] = [
      Question(name: "numbers", path: \.number) { $0 < $1 },
      Question(name: "truth values", path: \.flag) { !$0 && $1 },
      Question(name: "an enumeration", path: \.mood) { $0.rawValue < $1.rawValue },
      Question(name: "moments", path: \.time) { $0 < $1 },
      Question(name: "floating-point numbers", path: \.real) { $0 < $1 },
      Question(name: "texts", path: \.text) { $0.utf8.lexicographicallyPrecedes($1.utf8) },
      Question(name: "bytes", path: \.bytes) { $0.lexicographicallyPrecedes($1) },
      Question(name: "UUIDs", path: \.tag) { $0.uuidString < $1.uuidString },
    ]
    var random = SplitMix(seed: seed)
    var rows: [Int: ConformanceSample] = [:]
    let lists = questions.flatMap { question in
      [false, true].map {
        ($0, question, FetchController(question.request(isDescending: $0), in: subject.sampleStore))
      }
    }
    for (_, _, controller) in lists { try await controller.performFetch() }
    for step in 0..<max(3, steps / 6) {
      let samples = (0..<[1, 2, 8][Int.random(in: 0..<3, using: &random)]).map { _ in
        ConformanceSample(random: &random)
      }
      for sample in samples { rows[sample.id] = sample }
      try await subject.write(samples)
      for (isDescending, question, controller) in lists {
        await controller.waitUntilCurrent()
        guard let snapshot = controller.snapshot else {
          throw ConformanceFailure(description: "Seed \(seed): there is no list of \(question.name).")
        }
        let wrong = try question.fault(in: snapshot, of: Array(rows.values), isDescending: isDescending)
        try check(wrong == nil, "After step \(step) sections by \(question.name) are wrong: \(wrong ?? "").")
      }
    }
  }
}

/// Sections by a property, and what they are to be, the plain way.
private protocol SectionQuestion: Sendable {
  var name: String { get }
  func request(isDescending: Bool) -> FetchDescriptor<ConformanceSample>
  func fault(
    in snapshot: DiffableSnapshot<FetchSectionID, Int>, of rows: [ConformanceSample], isDescending: Bool
  ) throws -> String?
}

private struct Question<Value: FetchColumnValue & Hashable>: SectionQuestion {
  var name: String
  var path: any KeyPath<ConformanceSample, Value?> & Sendable
  var precedes: @Sendable (Value, Value) -> Bool

  func request(isDescending: Bool) -> FetchDescriptor<ConformanceSample> {
    FetchDescriptor().ordered(by: .ascending(\.id))
      .sectioned(by: path, order: isDescending ? .descending : .ascending)
  }

  func fault(
    in snapshot: DiffableSnapshot<FetchSectionID, Int>, of rows: [ConformanceSample], isDescending: Bool
  ) throws -> String? {
    let groups = Dictionary(grouping: rows) { $0[keyPath: path] }
    var values = groups.keys.sorted { a, b in
      guard let b else { return false }
      return a.map { precedes($0, b) } ?? true
    }
    if isDescending { values.reverse() }
    let expected = try DiffableSnapshot(
      sections: values.map { (FetchSectionID($0), (groups[$0] ?? []).map(\.id).sorted()) })
    if snapshot != expected { return "they are \(snapshot), not \(expected)" }
    let read = try snapshot.sectionIdentifiers.map { try $0.value(as: Value?.self) }
    return read == values ? nil : "their values are read as \(read), not as \(values)"
  }
}

extension ConformanceSample {
  fileprivate init(random: inout SplitMix) {
    func one<Value>(of values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &random)] }
    self.init(id: one(of: Array(0..<30)))
    number = one(of: [nil, -10, -9, 0, 7, 10, .max, .min])
    flag = one(of: [nil, false, true])
    mood = one(of: [nil, .low, .middling, .high])
    time = one(of: [nil, -1.5, 0, 1_709_942_400, 1_709_942_400.25] as [Double?]).map(
      Date.init(timeIntervalSince1970:))
    real = one(of: [nil, -2.5, -0.0, 0, 0.1, 3, 20, 1e300, .infinity])
    text = one(of: [nil, "10", "9", "B", "a", "é"])
    bytes = one(of: [nil, Data([0]), Data([0, 255]), Data([10]), Data([160])])
    tag = one(of: [nil, 0, 9, 160] as [UInt8?]).map {
      UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    }
  }
}
