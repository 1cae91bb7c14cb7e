import Foundation
import LiveListsTestSupport
import Snapshots
import Testing

@testable import LiveFetch
@testable import LiveStore

@Suite("Sections by the days of a time zone")
struct SectionZoneTests {
  static let stJohns = TimeZone(identifier: "America/St_Johns") ?? .gmt

  /// A moment in UTC.
  static func moment(_ text: String) -> Date {
    Date(timeIntervalSince1970: Double(CalendarDate.milliseconds(text) ?? 0) / 1_000)
  }

  @Test("A clock that goes back over midnight does not split a day, in whatever order")
  func overMidnight() async throws {
    // On 7 November 2010 at 00:01 the clocks of St John's went back to 23:01 of the day before.
    let store = InMemoryStore()
    for (id, time) in [
      (1, "2010-11-07 02:29:59"),  // 23:59:59 on the sixth
      (2, "2010-11-07 02:30:00"),  // 00:00:00 on the seventh
      (3, "2010-11-07 02:31:00"),  // 23:01:00 on the sixth, again
      (4, "2010-11-07 03:29:59"),  // 23:59:59 on the sixth, again
      (5, "2010-11-07 03:30:00"),  // 00:00:00 on the seventh, again
      (6, "2010-11-08 03:29:59"), (7, "2010-11-08 03:30:00"),
    ] {
      store.put(Piece(id, "a", -id, taken: Self.moment(time)))
    }
    let days: [(FetchSectionID, [Int])] = [
      ("2010-11-06", [1]), ("2010-11-07", [2, 3, 4, 5, 6]), ("2010-11-08", [7]),
    ]
    let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.taken))
    for order in [FetchSectionOrder.automatic, .ascending, .bySortKeys] {
      let up = FetchController(
        request.sectioned(by: .day(\.taken, in: Self.stJohns), order: order), in: store)
      #expect(try await up.performFetch() == DiffableSnapshot(sections: days))
    }
    let down = FetchController(
      FetchDescriptor<Piece>().ordered(by: .descending(\.taken))
        .sectioned(by: .day(\.taken, in: Self.stJohns)), in: store)
    let reversed = days.reversed().map { ($0.0, Array($0.1.reversed())) }
    #expect(try await down.performFetch() == DiffableSnapshot(sections: reversed))
    // Within the days by something else.
    let byKey = FetchController(
      FetchDescriptor<Piece>().ordered(by: .ascending(\.key)).sectioned(by: .day(\.taken, in: Self.stJohns)),
      in: store)
    let inner = days.map { ($0.0, Array($0.1.reversed())) }
    #expect(try await byKey.performFetch() == DiffableSnapshot(sections: inner))
    store.put(Piece(8, "a", -100, taken: Self.moment("2010-11-07 02:45:00")))
    await down.waitUntilCurrent()
    #expect(down.snapshot?.sectionIdentifier(containingItem: 8) == "2010-11-07")
    #expect(down.snapshot?.itemIdentifiers == [7, 6, 5, 4, 8, 3, 2, 1])
  }

  @Test("The zone is part of the request; without one it is UTC, and equal requests are one list")
  func zones() async throws {
    let store = InMemoryStore()
    store.put(
      Piece(1, taken: Self.moment("2023-12-31 23:30:00")), Piece(2, taken: Self.moment("2024-01-01 00:30:00"))
    )
    func names(_ section: FetchSectionKey<Piece>) async throws -> [String] {
      let request = FetchDescriptor<Piece>().ordered(by: .ascending(\.taken)).sectioned(by: section)
      return try await FetchController(request, in: store).performFetch().sectionIdentifiers.map(\.text)
    }
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(try await names(.month(\.taken)) == ["2023-12", "2024-01"])
    #expect(try await names(.month(\.taken, in: .gmt)) == ["2023-12", "2024-01"])
    #expect(try await names(.month(\.taken, in: tokyo)) == ["2024-01"])
    #expect(try await names(.year(\.taken, in: Self.stJohns)) == ["2023"])
    let half = try #require(TimeZone(secondsFromGMT: -5_400))
    #expect(try await names(.day(\.taken, in: half)) == ["2023-12-31"])
    func plan(_ zone: TimeZone) throws -> FetchPlan {
      try FetchDescriptor<Piece>().ordered(by: .ascending(\.key)).sectioned(by: .day(\.taken, in: zone))
        .plan()
    }
    let utc = try #require(TimeZone(identifier: "Etc/UTC"))
    #expect(try plan(utc) == plan(.gmt) && plan(tokyo) == plan(tokyo) && plan(tokyo) != plan(.gmt))
    #expect(try plan(tokyo) != plan(Self.stJohns))
  }

  @Test("In every zone a day begins when a clock first shows its date, and no day begins twice")
  func allZones() throws {
    let zones = TimeZone.knownTimeZoneIdentifiers
    #expect(zones.count > 300)
    var overMidnight = 0
    for identifier in zones {
      let zone = try #require(TimeZone(identifier: identifier))
      guard let days = SectionZone.days(in: zone) else { continue }
      var next = zone.nextDaylightSavingTimeTransition(after: Self.moment("1800-01-01"))
      while let change = next, change < Self.moment("2031-01-01") {
        let middle = Int64(change.timeIntervalSince1970)
        func shown(_ seconds: Int64) -> Int64 {
          let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
          return (seconds + Int64(offset)).flooredDivision(by: 86_400).quotient
        }
        // All that a clock shows from two days before to two days after: each quarter of an hour and a minute before where
        // the clock is set over midnight, else each quarter of a day.
        let isOverMidnight = shown(middle - 1) != shown(middle)
        overMidnight += isOverMidnight ? 1 : 0
        var latest = Int64.min
        for start in stride(
          from: middle - 180_000, through: middle + 180_000, by: isOverMidnight ? 900 : 22_500)
        {
          for seconds in [start - 60, start] {
            latest = max(latest, shown(seconds))
            // What was shown before the first of these two days is past.
            if seconds > middle - 160_000, days.day(of: seconds) != latest {
              Issue.record(
                "\(identifier), \(seconds): \(days.day(of: seconds)), and clocks have shown \(latest)")
              return
            }
          }
        }
        // Later changes follow the rule of the last years: some are enough.
        let isRecent = change > Self.moment("2012-01-01")
        next = zone.nextDaylightSavingTimeTransition(
          after: isRecent ? change.addingTimeInterval(4 * 365 * 86_400) : change)
      }
    }
    #expect(overMidnight > 100)
  }

  @Test(
    "Far dates have days as well",
    arguments: [13_569_465_600 - 1, 13_569_465_600, 40_000_000_000, -90_000_000_000, .max, .min])
  func farDates(_ seconds: Int64) throws {
    let days = try #require(SectionZone.days(in: Self.stJohns))
    let utc = seconds.flooredDivision(by: 86_400).quotient
    #expect((utc - 1...utc).contains(days.day(of: seconds)))
  }
}
