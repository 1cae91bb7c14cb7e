/// A task that waits for a change. It is resumed where no lock is held: resuming takes the task's own lock, within which a
/// task that is cancelled just now calls its handlers, and these may take locks of ours.
typealias SuspendedTask = CheckedContinuation<Void, Never>

extension [SuspendedTask] {
  func resumeAll() {
    for task in self { task.resume() }
  }
}
