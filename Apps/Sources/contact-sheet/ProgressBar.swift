import Foundation
import Synchronization

/// A bar that grows, on a terminal only; into a file or a pipe nothing is written.
final class ProgressBar: Sendable {
  private let total: Int
  private let label: String
  private let isShown: Bool
  private let done = Mutex(0)

  init(total: Int, label: String) {
    self.total = total
    self.label = label
    isShown = Terminal.standardError.isInteractive && total > 0
    draw(0)
  }

  /// One more is done.
  func advance() {
    let now = done.withLock { done in
      done += 1
      return done
    }
    draw(now)
  }

  /// So many are done.
  func advance(to count: Int) {
    done.withLock { $0 = max($0, count) }
    draw(count)
  }

  /// Takes the bar off the line, so that a message can be written there.
  func clear() {
    if isShown { Terminal.standardError.write("\r\u{1B}[K") }
  }

  /// Leaves the line to others.
  func end() { clear() }

  private func draw(_ count: Int) {
    guard isShown else { return }
    let width = 30
    let filled = min(width, width * count / max(1, total))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    Terminal.standardError.write("\r\u{1B}[K\(label) \(bar) \(count) of \(total)")
  }
}
