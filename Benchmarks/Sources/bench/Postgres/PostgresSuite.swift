#if PostgreSQL
  import Foundation
  import LiveFetch
  import LiveFetchPostgres
  import Synchronization

  /// A row of the measured tables.
  struct Line: FetchModel {
    var id: UUID
    var section: String
    var rank: Int

    static let fetchTable = FetchTable<Line>(
      "entry", id: .column("id", \.id), columns: [.column("section", \.section), .column("rank", \.rank)])

    init(fetchRow row: FetchRow) throws {
      (id, section, rank) = (try row["id"], try row["section"], try row["rank"])
    }

    static let all = FetchDescriptor<Line>().ordered(by: .ascending(\.rank))
  }

  /// Lists over PostgreSQL, several nodes in one process, with bare libpq beside them.
  ///
  /// `scripts/bench postgres` starts a server of its own, whose commits wait for the disk. `BENCH_ROWS` gives another size than a
  /// million, `BENCH_ONLY` a part of a measurement's name.
  enum PostgresSuite {
    static let address = FetchSuite.environment["LIVELISTS_POSTGRES"]

    static func run(_ report: inout Report) async throws {
      guard let address else {
        throw BareConnection.Failure(description: "there is no server: scripts/bench postgres starts one")
      }
      let suite = PostgresBench(address: address, bare: try BareConnection(address))
      try suite.bare.run(
        "CREATE TABLE entry (id uuid PRIMARY KEY, section text NOT NULL, rank bigint NOT NULL)")
      func isWanted(_ name: String) -> Bool { FetchSuite.isWanted(name) }
      if isWanted("delivery") {
        try await suite.delivery(&report, bell: false, p50: 13, p99: 25)
        try await suite.delivery(&report, bell: true, p50: 3, p99: 8)
      }
      if isWanted("own") { try await suite.ownCommit(&report) }
      if isWanted("writes") { try await suite.writes(&report) }
      if isWanted("fetch") { try await suite.firstFetch(&report) }
      if isWanted("lists") { try await suite.manyLists(&report) }
      if isWanted("idle") { try await suite.idle(&report) }
    }
  }

  /// The measurements, on one server.
  struct PostgresBench: Sendable {
    let address: String
    let bare: BareConnection

    func fill(_ count: Int, section: String = "''") throws {
      try bare.run("TRUNCATE entry")
      try bare.run(
        "INSERT INTO entry SELECT md5(i::text)::uuid, \(section), i * 1000 FROM generate_series(1, \(count)) i"
      )
      try bare.run("VACUUM ANALYZE entry")
    }

    func id(_ number: Int) -> String { "md5('\(number)')::uuid" }

    static func percentile(_ times: [Double], _ part: Double) -> Double {
      let sorted = times.sorted()
      return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    // MARK: From node to node

    func delivery(_ report: inout Report, bell: Bool, p50: Double, p99: Double) async throws {
      try fill(1_000)
      var options = PostgresStoreOptions()
      options.ringsBell = bell
      let writer = try await PostgresStore(connection: address, options: options)
      let reader = try await PostgresStore(connection: address, options: options)
      defer {
        writer.close()
        reader.close()
      }
      let list = FetchController(Line.all, in: reader)
      try await list.performFetch()
      let listener = Listener(list.changes)
      try await listener.next()
      var times: [Double] = []
      for number in 1...600 {
        // At any time between two looks.
        try await Task.sleep(for: .microseconds(.random(in: 2_000...42_000)))
        let begun = Mutex(ContinuousClock.now)
        try await writer.write { transaction in
          try transaction.execute(
            "UPDATE entry SET rank = ? WHERE id = \(id(1))", [1_000_000 + number])
          begun.withLock { $0 = .now }
        }
        times.append(Measure.milliseconds(try await listener.next() - begun.withLock { $0 }))
      }
      times.removeFirst(100)
      var row = Row(
        name: "commit to delivery at another node, \(bell ? "by the bell" : "polled every 20 ms"), median",
        figure: Self.percentile(times, 0.5), unit: "ms", target: p50)
      if bell {
        row.peer = try await notification()
        row.peerName = "bare NOTIFY after the commit"
        row.others = ["bare pgoutput": try await replication()]
      }
      report.add(row)
      report.add(
        Row(
          name: "the same, 99th of a hundred", figure: Self.percentile(times, 0.99), unit: "ms", target: p99))
    }

    /// The time from a commit to the arrival of a notification that is sent after it, without lists.
    private func notification() async throws -> Double {
      let writer = try BareConnection(address)
      let reader = try BareConnection(address)
      try reader.run("LISTEN bare")
      try writer.run("SET synchronous_commit = off")
      return try await arrival(by: { try reader.waitForNotification() }) { number in
        try writer.run("BEGIN; UPDATE entry SET rank = \(2_000_000 + number) WHERE id = \(id(2))")
        let begun = ContinuousClock.now
        try writer.run("SET LOCAL synchronous_commit = on; COMMIT")
        try writer.run("NOTIFY bare")
        return begun
      }
    }

    /// The time from a commit to its arrival by logical replication, without lists.
    private func replication() async throws -> Double {
      let writer = try BareConnection(address)
      let reader = try BareConnection("\(address) replication=database")
      try writer.run("CREATE PUBLICATION bare FOR TABLE entry")
      defer { try? writer.run("DROP PUBLICATION bare") }
      try reader.startReplication(of: "bare")
      return try await arrival(by: { try reader.waitForCommit() }) { number in
        try writer.run("BEGIN; UPDATE entry SET rank = \(3_000_000 + number) WHERE id = \(id(2))")
        let begun = ContinuousClock.now
        try writer.run("COMMIT")
        return begun
      }
    }

    /// The median time until what was committed has arrived.
    /// - Parameters:
    ///   - wait: Waits for the next arrival, on a thread of its own.
    ///   - commit: Commits, and says when that began.
    private func arrival(
      by wait: @escaping @Sendable () throws -> Void, after commit: (Int) throws -> ContinuousClock.Instant
    ) async throws -> Double {
      let (arrivals, continuation) = AsyncStream<ContinuousClock.Instant>.makeStream()
      let thread = Thread {
        for _ in 0..<300 {
          guard (try? wait()) != nil else { break }
          continuation.yield(.now)
        }
        continuation.finish()
      }
      thread.start()
      var iterator = arrivals.makeAsyncIterator()
      var times: [Double] = []
      for number in 0..<300 {
        try await Task.sleep(for: .microseconds(.random(in: 2_000...22_000)))
        let begun = try commit(number)
        if let arrived = await iterator.next() { times.append(Measure.milliseconds(arrived - begun)) }
      }
      return Measure.median(times)
    }

    // MARK: On one node

    func ownCommit(_ report: inout Report) async throws {
      try fill(100_000)
      let store = try await PostgresStore(connection: address)
      defer { store.close() }
      let list = FetchController(Line.all, in: store)
      try await list.performFetch()
      let listener = Listener(list.changes)
      try await listener.next()
      let writer = try BareConnection(address)
      var bare: [Double] = []
      var listed: [Double] = []
      for number in 1...800 {
        let value = 1_000_000_000 + number
        if number.isMultiple(of: 2) {
          let begun = ContinuousClock.now
          try writer.run("BEGIN")
          try writer.run("UPDATE entry SET rank = \(value) WHERE id = \(id(3))")
          try writer.run("COMMIT")
          bare.append(Measure.milliseconds(.now - begun))
          try await listener.next()
        } else {
          let begun = ContinuousClock.now
          try await store.write { transaction in
            try transaction.execute("UPDATE entry SET rank = ? WHERE id = \(id(3))", [value])
          }
          listed.append(Measure.milliseconds(try await listener.next() - begun))
        }
      }
      let least = Measure.median(Array(bare.dropFirst(50)))
      report.add(
        Row(
          name: "own commit to delivery on the same node, beyond the bare commit",
          figure: Measure.median(Array(listed.dropFirst(50))) - least, unit: "ms", target: 1,
          others: ["bare commit": least]))
    }

    // MARK: Writes

    func writes(_ report: inout Report) async throws {
      // Sets up what the triggers call.
      try await PostgresStore(connection: address).close()
      try fill(100_000)
      try bare.run(
        """
        DROP TABLE IF EXISTS plain, numbered;
        CREATE TABLE plain (id bigint PRIMARY KEY, section text NOT NULL, rank bigint NOT NULL) WITH (fillfactor = 80);
        INSERT INTO plain SELECT i, 'section', i FROM generate_series(1, 100000) i;
        CREATE TABLE numbered (LIKE plain INCLUDING ALL);
        INSERT INTO numbered SELECT * FROM plain;
        SELECT livelists.watch('numbered', 'id')
        """)
      try bare.run("VACUUM ANALYZE plain")
      try bare.run("VACUUM ANALYZE numbered")
      var plain: [Double] = []
      var watched: [Double] = []
      for _ in 0..<5 {
        plain.append(try await rate("plain"))
        watched.append(try await rate("numbered"))
      }
      let ratio = Measure.median(plain) / Measure.median(watched)
      report.add(
        Row(
          name: "a write by one of 8 clients, with triggers", figure: 8_000 / Measure.median(watched),
          unit: "ms",
          peer: 8_000 / Measure.median(plain), peerName: "without",
          others: ["writes/s": Measure.median(watched), "without": Measure.median(plain)],
          bounds: [.init(name: "without", ratio: ratio, most: 1 / 0.85)]))
    }

    /// Writes a second, of eight clients.
    private func rate(_ table: String) async throws -> Double {
      let begun = ContinuousClock.now
      let count = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 {
          let connection = try BareConnection(address)
          try connection.prepare("UPDATE \(table) SET rank = rank + 1 WHERE id = $1")
          group.addTask { try await Self.write(with: connection, until: begun + .seconds(2)) }
        }
        return try await group.reduce(0, +)
      }
      return Double(count) / Measure.milliseconds(.now - begun) * 1e3
    }

    /// Writes on a thread of its own, as the calls wait.
    /// - Returns: How often.
    private static func write(
      with connection: BareConnection, until end: ContinuousClock.Instant
    ) async throws -> Int {
      try await withCheckedThrowingContinuation { continuation in
        Thread {
          continuation.resume(
            with: Result {
              var count = 0
              while .now < end {
                try connection.execute(.random(in: 1...100_000))
                count += 1
              }
              return count
            })
        }.start()
      }
    }

    // MARK: Reading

    func firstFetch(_ report: inout Report) async throws {
      try fill(FetchSuite.rows)
      try bare.run("CREATE INDEX entry_rank ON entry (rank, id)")
      defer { try? bare.run("DROP INDEX entry_rank") }
      try bare.run("VACUUM ANALYZE entry")
      let store = try await PostgresStore(connection: address)
      defer { store.close() }
      var fetched: [Double] = []
      var read: [Double] = []
      for _ in 0..<5 {
        var begun = ContinuousClock.now
        let count = try bare.rows("SELECT id, rank FROM entry ORDER BY rank, id")
        read.append(Measure.milliseconds(.now - begun))
        begun = .now
        let list = FetchController(Line.all, in: store)
        let snapshot = try await list.performFetch()
        fetched.append(Measure.milliseconds(.now - begun))
        guard snapshot.itemIdentifiers.count == count else {
          throw BareConnection.Failure(description: "the list has other rows than the table")
        }
      }
      let (figure, peer) = (Measure.median(fetched), Measure.median(read))
      report.add(
        Row(
          name: "first fetch of \(FetchSuite.rows) rows", figure: figure, unit: "ms", peer: peer,
          peerName: "libpq, row by row",
          bounds: [.init(name: "libpq, row by row", ratio: figure / peer, most: 1.3)]))
    }

    func manyLists(_ report: inout Report) async throws {
      let count = FetchSuite.environment["BENCH_LISTS"].flatMap(Int.init) ?? 10_000
      try fill(count * 10, section: "'list ' || i % \(count)")
      try bare.run("CREATE INDEX entry_section ON entry (section, rank, id)")
      defer { try? bare.run("DROP INDEX entry_section") }
      var stores: [PostgresStore] = []
      for _ in 0..<3 { stores.append(try await PostgresStore(connection: address)) }
      defer { for store in stores { store.close() } }
      func open(_ number: Int, _ store: PostgresStore) async throws -> FetchController<Line> {
        let name = "list \(number)"
        let list = FetchController(
          FetchDescriptor<Line>().filter(#Predicate { $0.section == name }).ordered(by: .ascending(\.rank)),
          in: store)
        try await list.performFetch()
        return list
      }
      let begun = ContinuousClock.now
      var shared: [FetchController<Line>] = []
      for store in stores { shared.append(try await open(0, store)) }
      let others = try await withThrowingTaskGroup(of: [FetchController<Line>].self) { group in
        for (node, store) in stores.enumerated() {
          for worker in 0..<4 {
            group.addTask {
              var lists: [FetchController<Line>] = []
              for number in stride(from: 1 + node + 3 * worker, to: count, by: 12) {
                lists.append(try await open(number, store))
              }
              return lists
            }
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      let opening = Measure.milliseconds(.now - begun) / Double(others.count + 3)
      let listeners = shared.map { Listener($0.changes) }
      for listener in listeners { try await listener.next() }
      func commits() -> Int { (shared + others).reduce(0) { $0 + $1.statistics.commits } }
      let before = commits()
      let writer = try BareConnection(address)
      var times: [Double] = []
      for number in 1...400 {
        try await Task.sleep(for: .microseconds(.random(in: 2_000...22_000)))
        try writer.run("BEGIN; UPDATE entry SET rank = \(900_000_000 + number) WHERE id = \(id(count))")
        let begun = ContinuousClock.now
        try writer.run("COMMIT")
        var last = begun
        for listener in listeners { last = max(last, try await listener.next()) }
        times.append(Measure.milliseconds(last - begun))
      }
      let concerned = Double(commits() - before) / 400 / 3
      times.removeFirst(50)
      report.add(
        Row(
          name: "\(count) lists on three nodes, one row changes: at all three, 99th of a hundred",
          figure: Self.percentile(times, 0.99), unit: "ms", target: 30,
          others: ["median": Self.percentile(times, 0.5), "to open a list": opening]))
      report.add(
        Row(name: "lists of a node that look at the change", figure: concerned, unit: "", target: 2))
    }

    // MARK: Nothing

    func idle(_ report: inout Report) async throws {
      try fill(1_000)
      let store = try await PostgresStore(connection: address)
      defer { store.close() }
      let list = FetchController(Line.all, in: store)
      try await list.performFetch()
      // Until the node takes it for quiet.
      try await Task.sleep(for: .seconds(11))
      let pids = try bare.texts("SELECT pid FROM pg_stat_activity WHERE application_name = 'LiveLists'")
      func ticks() -> Double { pids.reduce(0) { $0 + Self.processorTicks($1) } }
      let (server, own, begun) = (ticks(), Measure.processorMilliseconds(), ContinuousClock.now)
      try await Task.sleep(for: .seconds(20))
      let time = Measure.milliseconds(.now - begun)
      let perTick = 1_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
      report.add(
        Row(
          name: "an idle node at the server", figure: (ticks() - server) * perTick / time * 100,
          unit: "% of a core",
          target: 0.5, others: ["the node itself": (Measure.processorMilliseconds() - own) / time * 100]))
    }

    private static func processorTicks(_ process: String) -> Double {
      guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let rest = text.range(of: ")", options: .backwards)
      else { return 0 }
      let fields = text[rest.upperBound...].split(separator: " ")
      return fields.count > 12 ? (Double(fields[11]) ?? 0) + (Double(fields[12]) ?? 0) : 0
    }
  }
#endif
