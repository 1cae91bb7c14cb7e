#if SQLite
  import Foundation
  import GRDB
  import LiveFetch
  import LiveFetchSQLite
  import _TestTools
  import Snapshots
  import Testing

  @Suite("Days of a time zone in SQL")
  struct SectionZoneSQLTests {
    struct Event: FetchModel {
      var id: Int64
      var name: String
      var micros: Date?
      var text: Date?
      var seconds: Date?

      static let fetchTable = FetchTable<Event>(
        "event", id: .column("id", \.id),
        columns: [
          .column("name", \.name), .column("micros", \.micros), .column("text", \.text, stored: .dateText),
          .column("seconds", \.seconds, stored: .dateSeconds),
        ])

      init(fetchRow row: FetchRow) throws {
        id = try row["id"]
        name = try row["name"]
      }
    }

    @Test(
      "A list by days, and by titles within, is what the dates of a clock say, and stays so",
      arguments: ["America/St_Johns", "Asia/Kathmandu", "Pacific/Apia", "GMT+0330"], [true, false])
    func law(_ identifier: String, isDescending: Bool) async throws {
      let zone = try #require(TimeZone(identifier: identifier))
      let temporary = try TemporaryStore { db in
        try db.execute(
          sql:
            "CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT NOT NULL, micros INTEGER, text TEXT, seconds REAL)"
        )
      }
      let store = temporary.store
      let order: FetchSectionOrder = isDescending ? .descending : .ascending
      let request = FetchDescriptor<Event>().ordered(by: .ascending(\.name))
      let controllers = [
        FetchController(request.sectioned(by: .day(\.micros, in: zone), order: order), in: store),
        FetchController(request.sectioned(by: .day(\.text, in: zone), order: order), in: store),
        FetchController(request.sectioned(by: .day(\.seconds, in: zone), order: order), in: store),
      ]
      for controller in controllers { try await controller.performFetch() }
      var random = SplitMix(seed: 12)
      var rows: [Int64: (name: String, day: String)] = [:]
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = zone
      for step in 0..<40 {
        let id = Int64.random(in: 0..<30, using: &random)
        // Around the night in which the clocks of St John's went back over midnight, that in which Apia left out a day, and
        // some other time.
        let night = [1_289_096_940, 1_325_239_200, 1_700_000_000].randomElement(using: &random) ?? 0
        let seconds =
          Int.random(in: 0..<9, using: &random) == 0
          ? nil : Int64(night + Int.random(in: -400...400, using: &random) * 300)
        let name = String(Int.random(in: 0..<9, using: &random))
        rows[id] = (name, seconds.map { Self.day($0, calendar) } ?? "")
        try await store.write { db in
          let date = seconds.map { Date(timeIntervalSince1970: Double($0)) }
          try db.execute(
            sql: "REPLACE INTO event VALUES (?, ?, ?, ?, ?)",
            arguments: [id, name, seconds.map { $0 * 1_000_000 }, date, seconds.map { Double($0) }])
        }
        var expected: [(name: String, rows: [Int64])] = []
        let days = rows.mapValues(\.day)
        let ordered = rows.keys.sorted { a, b in
          let (one, other) = (days[a] ?? "", days[b] ?? "")
          if one != other { return (one < other) != isDescending }
          return (rows[a]?.name ?? "", a) < (rows[b]?.name ?? "", b)
        }
        for id in ordered {
          if expected.last?.name != days[id] { expected.append((days[id] ?? "", [])) }
          expected[expected.count - 1].rows.append(id)
        }
        let snapshot = try DiffableSnapshot(sections: expected.map { (FetchSectionID($0.name), $0.rows) })
        for controller in controllers {
          await controller.waitUntilCurrent()
          #expect(controller.snapshot == snapshot, "step \(step)")
          // What SQL gives.
          let fresh = try await FetchController(controller.request.limit(1_000), in: store).performFetch()
          #expect(fresh == snapshot, "step \(step)")
        }
      }
    }

    /// The latest date that a clock has shown in the two days up to a moment, by Foundation's calendar.
    private static func day(_ seconds: Int64, _ calendar: Calendar) -> String {
      // Clocks are set at whole quarters of an hour, or a minute after.
      var latest = ""
      for moment in stride(from: seconds - 90_000, through: seconds, by: 900) {
        let quarter = moment - moment % 900
        for moment in [moment, quarter - 1, quarter + 59] where moment <= seconds {
          let date = Date(timeIntervalSince1970: Double(moment))
          let parts = calendar.dateComponents([.year, .month, .day], from: date)
          latest = max(
            latest, String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0))
        }
      }
      return latest
    }
  }
#endif
