public import Foundation
import Synchronization

/// The days of a time zone, each of which begins once.
///
/// A clock that goes back over midnight shows a day again that had ended; St John's did so each autumn until 2011. The rows
/// of a day must follow one another in the order of time: so a day begins when a clock first shows its date, and the one
/// before has then ended, whatever the clock shows later. This is the only difference to the dates that clocks show.
public final class SectionZone: Hashable, Sendable {
  /// A time for which the clock is off from UTC by as much.
  private struct Span {
    /// Seconds since 1970.
    var start: Int64
    /// Seconds east of UTC.
    var offset: Int64
    /// The last day that a clock has shown before. Days are counted from 1970.
    var shown: Int64
  }

  private static let known = Mutex<[String: SectionZone]>([:])
  /// 1 January 2400: from then on it is worked out for each moment.
  private static var end: Int64 { 13_569_465_600 }
  /// No clock goes back by more, so none shows a day again later than that.
  private static var maximumShift: Int64 { 2 * 86_400 }

  /// The zone's identifier, such as “Europe/Paris”.
  public let identifier: String
  private let zone: TimeZone
  private let spans: [Span]

  private init(_ zone: TimeZone) {
    self.zone = zone
    identifier = zone.identifier
    let past = Date.distantPast
    var spans = [Span(start: .min, offset: Int64(zone.secondsFromGMT(for: past)), shown: .min)]
    Self.changes(of: zone, after: past, before: Self.end) { start, offset in
      let last = spans[spans.count - 1]
      let shown = max(last.shown, Self.day(of: start - 1, offset: last.offset))
      spans.append(Span(start: start, offset: offset, shown: shown))
    }
    self.spans = spans
  }

  /// The days of a zone as it is now, whatever it is later, as the user's own may be; nil for UTC.
  public static func days(in zone: TimeZone) -> SectionZone? {
    let made = known.withLock { known in
      if let made = known[zone.identifier] { return made }
      let made = SectionZone(TimeZone(identifier: zone.identifier) ?? zone)
      known[zone.identifier] = made
      return made
    }
    return made.spans.count == 1 && made.spans[0].offset == 0 ? nil : made
  }

  /// The days of a zone for which there was a request, or which the system knows.
  public static func named(_ identifier: String) -> SectionZone? {
    if let made = known.withLock({ $0[identifier] }) { return made }
    return TimeZone(identifier: identifier).flatMap { days(in: $0) }
  }

  /// Whether two are the days of zones with one identifier.
  public static func == (lhs: SectionZone, rhs: SectionZone) -> Bool { lhs.identifier == rhs.identifier }

  /// Feeds the identifier into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }

  /// The day of a moment, counted from 1 January 1970.
  /// - Parameter seconds: Whole seconds since 1970 in UTC, rounded down.
  /// - Complexity: O(log *n*) for *n* times at which the zone's clock was set.
  public func day(of seconds: Int64) -> Int64 {
    // Beyond what a calendar knows no clock is set any more.
    if seconds >= Self.end { return seconds < Self.end * 1_000 ? lateDay(of: seconds) : seconds / 86_400 }
    var (low, high) = (0, spans.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if spans[middle].start <= seconds { low = middle } else { high = middle }
    }
    return max(spans[low].shown, Self.day(of: seconds, offset: spans[low].offset))
  }

  private func lateDay(of seconds: Int64) -> Int64 {
    func offset(_ seconds: Int64) -> Int64 {
      Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
    var latest = Self.day(of: seconds, offset: offset(seconds))
    let start = Date(timeIntervalSince1970: Double(seconds - Self.maximumShift))
    Self.changes(of: zone, after: start, before: seconds &+ 1) { change, _ in
      latest = max(latest, Self.day(of: change - 1, offset: offset(change - 1)))
    }
    return latest
  }

  /// Calls something for each time at which the zone's clock is set: with the first second, and what the clock is off then.
  private static func changes(
    of zone: TimeZone, after start: Date, before end: Int64, _ body: (Int64, Int64) -> Void
  ) {
    var moment = start
    while let next = zone.nextDaylightSavingTimeTransition(after: moment), next > moment,
      let seconds = Int64(exactly: next.timeIntervalSince1970.rounded(.up)), seconds < end
    {
      body(seconds, Int64(zone.secondsFromGMT(for: next)))
      moment = next
    }
  }

  private static func day(of seconds: Int64, offset: Int64) -> Int64 {
    let (day, rest) = seconds.flooredDivision(by: 86_400)
    return day + (rest + offset).flooredDivision(by: 86_400).quotient
  }
}
