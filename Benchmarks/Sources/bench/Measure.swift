import CAllocator
import Foundation

/// Times, each a median.
enum Measure {
  /// Keeps the optimiser from leaving out what is measured.
  @inline(never)
  @_optimize(none)
  static func use<Value>(_ value: Value) {}

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    return sorted[sorted.count / 2]
  }

  /// The time of the processors that this process has taken so far, in milliseconds.
  static func processorMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
  }

  static func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1e3 + Double(duration.components.attoseconds) * 1e-15
  }

  static func microseconds(_ duration: Duration) -> Double { milliseconds(duration) * 1e3 }

  private static func seconds(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let duration = try clock.measure(body)
    let (whole, fraction) = duration.components
    return Double(whole) + Double(fraction) * 1e-18
  }

  /// The median time in milliseconds of several runs, after one to warm up.
  static func milliseconds(runs: Int = 7, _ body: () throws -> Void) rethrows -> Double {
    try body()
    return try median((0..<runs).map { _ in try seconds(body) * 1e3 })
  }

  /// Median times of two bodies, run in turn so that both meet the same state of the machine.
  static func milliseconds(
    runs: Int = 7, _ first: () throws -> Void, against second: () throws -> Void
  ) rethrows -> (Double, Double) {
    try first()
    try second()
    var times: ([Double], [Double]) = ([], [])
    for _ in 0..<runs {
      times.0.append(try seconds(first) * 1e3)
      times.1.append(try seconds(second) * 1e3)
    }
    return (median(times.0), median(times.1))
  }

  /// The median time in microseconds of single calls, each with its own number.
  static func microseconds(calls: Int, _ body: (Int) throws -> Void) rethrows -> Double {
    for number in 0..<min(calls / 4, 200) { try body(number) }
    return try median((0..<calls).map { number in try seconds { try body(number) } * 1e6 })
  }

  /// Bytes that the allocator has handed out and not got back, with what it takes for itself, or nil where it does
  /// not say. Unlike resident pages this does not hang on what was freed before.
  static func allocatedBytes() -> Int? {
    let bytes = allocator_bytes_in_use()
    return bytes == 0 ? nil : bytes
  }

  /// Bytes of memory in use by this process, as the system counts resident pages.
  static func residentBytes() -> Int {
    #if os(Linux)
      guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
      let fields = text.split(separator: " ")
      return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    #else
      return 0
    #endif
  }
}
