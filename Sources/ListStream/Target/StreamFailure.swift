/// The last failure of a stream, and the readers that know of it.
struct StreamFailure: Sendable {
  private var present: (frame: ListStreamFrame, message: String)?
  /// The frame that says that the failure is over, if no other frame does.
  private var recovery: ListStreamFrame?
  /// How many failures and recoveries there were. Readers keep the number of the last that they know.
  private var count = 0

  /// Takes a failure. Returns whether it is news.
  mutating func fail(_ frame: ListStreamFrame, message: String) -> Bool {
    if present?.message == message { return false }
    present = (frame, message)
    recovery = nil
    count += 1
    return true
  }

  /// Takes the end of a failure. Returns whether there was one.
  mutating func recover(_ frame: ListStreamFrame) -> Bool {
    guard present != nil else { return false }
    present = nil
    recovery = frame
    count += 1
    return true
  }

  /// Ends a failure without a frame of its own: the frame that comes now says that it is over.
  mutating func clear() {
    present = nil
    recovery = nil
  }

  /// Whether there is a frame for a reader.
  /// - Parameter known: The number of the last that it knows.
  func hasChanged(after known: Int) -> Bool { known != count && (present != nil || recovery != nil) }

  /// The frame for a reader, if there is one.
  /// - Parameter known: The number of the last that it knows, which is the present one afterwards.
  func frame(after known: inout Int) -> ListStreamFrame? {
    guard known != count else { return nil }
    let isFirst = known == 0
    known = count
    if let present { return present.frame }
    // A reader that got no failure needs no recovery.
    return isFirst ? nil : recovery
  }
}
