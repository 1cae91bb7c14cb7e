#if PostgreSQL
  import Foundation
  import LiveFetch
  @testable import LiveFetchPostgres
  import LiveListsTestSupport
  import Snapshots
  import Testing

  /// Tables, servers and connections that change or fail under live lists.
  @Suite("Faults under lists of PostgreSQL's", .server, .serialized)
  struct FaultTests {
    /// Waits until a store has been told of all commits, also where it has to connect again first.
    private func settle(_ store: PostgresStore) async throws {
      for _ in 0..<400 {
        if (try? await store.pool.use { try store.advance(on: $0) }) != nil { return }
        try await Task.sleep(for: .milliseconds(25))
      }
      Issue.record("The store did not come back.")
    }

    /// Waits until something holds that comes by itself.
    private func eventually(_ holds: () -> Bool) async throws {
      for _ in 0..<600 where !holds() { try await Task.sleep(for: .milliseconds(25)) }
      #expect(holds())
    }

    @Test("TRUNCATE empties the lists")
    func truncation() async throws {
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1), (2, 'b', 2)")
      let lists = try await FollowedLists(in: database.store)
      try database.other.run("TRUNCATE item")
      await database.store.waitUntilCurrent()
      await lists.check([:], "after TRUNCATE")
      try database.other.run("INSERT INTO item VALUES (3, 'a', 1)")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "after the insertion")
    }

    @Test("More rows than are looked at singly are read anew", arguments: [10, 200])
    func manyRows(limit: Int) async throws {
      var options = PostgresStoreOptions()
      options.maximumTouchedRows = limit
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let lists = try await FollowedLists(in: database.store)
      try database.other.run("INSERT INTO item SELECT i, 'a', i % 7, NULL FROM generate_series(1, 100) i")
      await database.store.waitUntilCurrent()
      await lists.check(try database.rows(), "limit \(limit)")
      #expect(database.store.statistics.resets == (limit == 10 ? 1 : 0))
    }

    @Test(
      "A changed schema is noticed: columns that come and go, a table that is replaced, triggers that are switched off"
    )
    func schema() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(
        TestDatabase.items + "; INSERT INTO item VALUES (1, 'a', 1)", options: options)
      let lists = try await FollowedLists(in: database.store)
      for statement in [
        "ALTER TABLE item ADD COLUMN extra text DEFAULT 'x'",
        "ALTER TABLE item DROP COLUMN extra",
        "ALTER TABLE item DISABLE TRIGGER livelists_rows",
        "DROP TRIGGER livelists_updates ON item",
        "ALTER TABLE item ALTER COLUMN key TYPE int",
        "BEGIN; ALTER TABLE item RENAME TO old; CREATE TABLE item (LIKE old INCLUDING ALL); COMMIT",
      ] {
        let before = database.store.statistics.resets
        try database.other.run(statement)
        try database.other.run(
          "INSERT INTO item SELECT coalesce(max(id), 0) + 1, 'a', 1 FROM item; UPDATE item SET key = key + 1")
        try await eventually { database.store.statistics.resets > before }
        for list in lists.controllers { await list.waitUntilCurrent() }
        try database.other.run(
          "INSERT INTO item SELECT max(id) + 1, 'b', 0 FROM item; UPDATE item SET key = key + 1")
        await database.store.waitUntilCurrent()
        await lists.check(try database.rows(), "after \(statement)")
      }
      // The lists fail while there is no table, and come back with it.
      try database.other.run("DROP TABLE item")
      try await eventually { lists.controllers[0].failures.contains { $0.kind == .database } }
      try database.other.run(TestDatabase.items + "; INSERT INTO item VALUES (7, 'a', 1)")
      try await eventually { lists.controllers[0].snapshot?.itemIdentifiers == [7] }
    }

    @Test("A key column that is renamed does not keep anybody from writing for long")
    func renamedKey() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(TestDatabase.items, options: options)
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      try await list.performFetch()
      try database.other.run("ALTER TABLE item RENAME COLUMN id TO number")
      try await eventually {
        (try? database.other.run("INSERT INTO item SELECT coalesce(max(number), 0) + 1, 'a', 1 FROM item"))
          != nil
      }
    }

    @Test(
      "Triggers that name a column which is gone are taken away, also where the table was never seen with it")
    func keyGoneBefore() async throws {
      var options = PostgresStoreOptions()
      options.schemaInterval = .zero
      let database = try await TestDatabase(TestDatabase.items, options: options)
      _ = try database.other.query("SELECT livelists.watch('item', 'id')")
      try database.other.run("ALTER TABLE item RENAME COLUMN id TO number")
      let list = FetchController(
        FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
      await #expect(throws: FetchError.self) { try await list.performFetch() }
      try await eventually {
        (try? database.other.run("INSERT INTO item VALUES (1, 'a', 1) ON CONFLICT DO NOTHING")) != nil
      }
    }

    @Test("What cannot be watched is refused with the reason")
    func unwatchable() async throws {
      let database = try await TestDatabase(
        """
        CREATE TABLE base (id bigint, section text, key bigint, note text);
        CREATE VIEW item AS SELECT * FROM base
        """)
      func refusal() async -> String {
        let list = FetchController(
          FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: database.store)
        let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
        #expect(error?.kind == .unwatchable)
        return error?.description ?? ""
      }
      #expect(await refusal().contains("is a view"))
      try database.other.run(
        "DROP VIEW item; CREATE TABLE item (id bigint, section text, key bigint, note text)")
      #expect(await refusal().contains("unique index"))
      try database.other.run(
        "DROP TABLE item; CREATE TABLE item (id numeric PRIMARY KEY, section text, key bigint, note text)")
      #expect(await refusal().contains("numeric"))
      try database.other.run(
        "DROP TABLE item; CREATE TABLE item (id bigint PRIMARY KEY, section text, key bigint, note text) PARTITION BY RANGE (id)"
      )
      #expect(await refusal().contains("partitioned"))
    }

    @Test("A role that may not make triggers is told who can; once they are there, it has its lists")
    func rights() async throws {
      let database = try await TestDatabase(
        TestDatabase.items
          + """
          ; INSERT INTO item VALUES (1, 'a', 1);
          DO $$ BEGIN CREATE ROLE clerk LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
          GRANT SELECT, INSERT ON item TO clerk
          """)
      try database.other.run("SELECT livelists.allow('clerk', true)")
      let store = try await PostgresStore(connection: database.address + " user=clerk")
      defer { store.close() }
      let list = FetchController(FetchDescriptor<ConformanceItem>().ordered(by: .ascending(\.key)), in: store)
      let error = await #expect(throws: FetchError.self) { try await list.performFetch() }
      #expect(error?.kind == .unwatchable && error?.description.contains("livelists.watch") == true)
      try database.other.run("SELECT livelists.watch('public.item', 'id')")
      #expect(try await list.performFetch().itemIdentifiers == [1])
      try await store.write { try $0.execute("INSERT INTO item VALUES (2, 'a', 2)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2])
    }

    @Test("Lists say that they may be old while the server is away, and catch up from where they were")
    func cleanRestart() async throws {
      let server = try await OwnServer()
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await store.write { try $0.execute(TestDatabase.items) }
      try await store.write { try $0.execute("INSERT INTO item VALUES (1, 'a', 1)") }
      let lists = try await FollowedLists(in: store)
      let list = lists.controllers[0]
      #expect(list.isCurrent)
      let changes = list.changes.makeAsyncIterator()
      _ = try await changes.next()
      try server.stop("fast")
      let interrupted = try await changes.next()
      #expect(interrupted?.failures.first?.kind == .interrupted)
      #expect(!list.isCurrent && list.snapshot?.itemIdentifiers == [1])
      #expect(list.failures.contains { $0.kind == .interrupted })
      try server.start()
      let resumed = try await changes.next()
      #expect(resumed?.failures.isEmpty == true && resumed?.difference.isEmpty == true)
      #expect(list.isCurrent)
      try await store.write { try $0.execute("INSERT INTO item VALUES (2, 'a', 2)") }
      #expect(list.snapshot?.itemIdentifiers == [1, 2])
      // No commit can have been lost: nothing was read anew.
      #expect(store.statistics.resets == 0 && store.statistics.interruptions == 1)
    }

    @Test(
      "After a crash, in which transaction numbers are used again, lists are read anew",
      arguments: ["immediate", "kill"])
    func crash(_ way: String) async throws {
      // Nothing is written ahead by itself, so that the numbers are surely used again.
      let server = try await OwnServer(settings: ["wal_writer_delay = '10s'"])
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await store.write { try $0.execute(TestDatabase.items) }
      let lists = try await FollowedLists(in: store)
      for round in 1...3 {
        // A number that was given out and is not written anywhere.
        let connection = try Connection(server.address, name: "lost")
        try connection.run("BEGIN; INSERT INTO item VALUES (\(100 + round), 'z', 0); ROLLBACK")
        await store.waitUntilCurrent()
        if way == "kill" {
          try server.killBackend(connection.process)
        } else {
          try server.stop("immediate")
          try server.start()
        }
        try await server.run("INSERT INTO item VALUES (\(round), 'a', \(round)) ON CONFLICT DO NOTHING")
        try await eventually { store.statistics.resets >= round }
        try await settle(store)
        for list in lists.controllers { await list.waitUntilCurrent() }
        #expect(lists.controllers[0].snapshot?.itemIdentifiers == Array(1...round), "round \(round)")
      }
    }

    @Test(
      "A herd of lists that is read anew keeps nobody from writing, and uses no more connections than it may")
    func herd() async throws { try await Herd.run(lists: 300) }

    @Test(
      "Where the server's disk is full, writes fail with the reason, lists stay right, and go on when there is room",
      .enabled(if: OwnServer.canMount, "No file system can be mounted here, so that none can be filled."),
      arguments: ["the table", "the log"])
    func fullDisk(_ location: String) async throws {
      let server = try await OwnServer(smallSize: 4)
      defer { server.remove() }
      let store = try await PostgresStore(connection: server.address)
      defer { store.close() }
      try await server.run("CREATE TABLESPACE small LOCATION '\(server.folder.path)/small'")
      let isLog = location == "the log"
      try await server.run(
        "CREATE TABLE filler TABLESPACE small AS SELECT repeat('x', 1000) FROM generate_series(1, 1000)")
      try await server.run(TestDatabase.items + (isLog ? "" : " TABLESPACE small"))
      let lists = try await FollowedLists(in: store)
      if isLog { try await server.run("ALTER TABLE livelists.log SET TABLESPACE small") }
      func write(_ id: Int) async throws {
        try await store.write(origin: "\(id)") {
          try $0.execute(
            "INSERT INTO item SELECT i, 'a', i % 9, repeat('x', 900) FROM generate_series(?, ? + 199) i",
            [id, id])
        }
      }
      var expected: [Int] = []
      var failure: PostgresError?
      for round in 0..<200 where failure == nil {
        do {
          try await write(round * 200)
          expected += round * 200..<(round + 1) * 200
        } catch let error as PostgresError { failure = error }
      }
      #expect(failure?.code == "53100" && failure?.isConnectionLost == false)
      #expect(!expected.isEmpty)
      let list = lists.controllers[0]
      await store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers.sorted() == expected && list.isCurrent)
      try await server.run("DROP TABLE filler")
      try await write(1_000_000)
      expected += 1_000_000..<1_000_200
      await store.waitUntilCurrent()
      await list.waitUntilCurrent()
      #expect(list.snapshot?.itemIdentifiers.sorted() == expected)
      #expect(store.statistics.interruptions == 0)
    }

    @Test("A copy of a database is another: whoever finds it reads anew")
    func restoredCopy() async throws {
      let database = try await TestDatabase(TestDatabase.items)
      let lists = try await FollowedLists(in: database.store)
      await lists.check([:], "before")
      let before = try database.other.query("SELECT id::text FROM livelists.boot").text(0, 0)
      // As a dump of another system's would have it.
      try database.other.run("UPDATE livelists.boot SET system = 1")
      try database.other.run("INSERT INTO livelists.log (tab, op, key, xid) VALUES (1, 'I', '5', '3')")
      let second = try await database.makeNode()
      defer { second.close() }
      _ = try database.other.query("SELECT livelists.start()")
      let after = try database.other.query("SELECT id::text FROM livelists.boot").text(0, 0)
      #expect(before != after)
      #expect(try database.other.query("SELECT count(*) FROM livelists.log").integer(0, 0) == 0)
      await database.store.waitUntilCurrent()
      #expect(database.store.statistics.resets == 1)
      try database.other.run("INSERT INTO item VALUES (1, 'a', 1)")
      try await settle(database.store)
      await lists.check(try database.rows(), "after")
    }
  }

  /// A server of a test's own, to be stopped.
  final class OwnServer: Sendable {
    let folder: URL
    let address: String
    private let binaries: String
    private let owner: [String]
    /// The megabytes of a file system that the server alone sees, in the folder `small`.
    private let smallSize: Int?

    /// Whether file systems can be mounted here, in a namespace of one's own.
    static let canMount =
      (try? run(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"])) != nil

    convenience init(settings: [String] = [], smallSize: Int? = nil) async throws {
      try self.init(smallSize: smallSize) { server in
        try server.program(
          "initdb", "-D", server.data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N",
          "--no-instructions")
        let all =
          [
            "listen_addresses = ''", "port = 5432", "unix_socket_permissions = 0777",
            "shared_buffers = '16MB'",
          ]
          + settings
        for line in all { try server.set(line) }
      }
    }

    /// Makes a folder, has the data filled in, and starts the server.
    private init(smallSize: Int? = nil, _ fill: (OwnServer) throws -> Void) throws {
      self.smallSize = smallSize
      let environment = ProcessInfo.processInfo.environment
      binaries = try #require(environment["LIVELISTS_POSTGRES_BIN"])
      owner = (environment["LIVELISTS_POSTGRES_OWNER"] ?? "").split(separator: " ").map(String.init)
      // Within that of the server of all tests, which is removed at the end: a server whose folder is gone ends.
      let parent = URL(fileURLWithPath: try #require(environment["LIVELISTS_POSTGRES_DATA"]))
        .deletingLastPathComponent()
      folder = parent.appendingPathComponent("own-\(UUID().uuidString.prefix(6))")
      // Only the socket: no port has to be found.
      address = "host=\(folder.path) port=5432 user=tester dbname=postgres connect_timeout=2"
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if !owner.isEmpty { try Self.run(["chown", "postgres", folder.path]) }
      try fill(self)
      try set("unix_socket_directories = '\(folder.path)'")
      try start()
    }

    private func set(_ line: String) throws {
      try program("sh", "-c", "echo \"\(line)\" >> \(data)/postgresql.auto.conf")
    }

    /// A server that follows this one.
    func makeStandby() async throws -> OwnServer {
      try OwnServer { standby in
        try standby.program(
          "pg_basebackup", "-D", standby.data, "-R", "-X", "stream", "-c", "fast", "-h", folder.path, "-p",
          "5432",
          "-U", "tester")
      }
    }

    func promote() throws { try program("pg_ctl", "-D", data, "-w", "promote") }

    /// Waits until a query has a row.
    func wait(for query: String) async throws {
      for _ in 0..<400 {
        if let connection = try? Connection(address + " target_session_attrs=any", name: "tests"),
          let found = try? connection.query(query), found.count > 0
        {
          return
        }
        try await Task.sleep(for: .milliseconds(25))
      }
      Issue.record("\(query) has no row.")
    }

    private var data: String { folder.path + "/data" }

    func start() throws {
      if let smallSize {
        // The server keeps the namespace alive, and with it the file system.
        let small = folder.path + "/small"
        let command =
          (owner + ["\(binaries)/pg_ctl", "-D", data, "-l", folder.path + "/server.log", "-w", "start"])
          .joined(separator: " ")
        return try Self.run([
          "unshare", "-m", "sh", "-c",
          "mkdir -p \(small) && mount -t tmpfs -o size=\(smallSize)m tmpfs \(small) && chown postgres \(small) && \(command)",
        ])
      }
      try program("pg_ctl", "-D", data, "-l", folder.path + "/server.log", "-w", "start")
    }
    func stop(_ mode: String) throws { try program("pg_ctl", "-D", data, "-m", mode, "-w", "stop") }

    func killBackend(_ process: Int32) throws { try Self.run(owner + ["kill", "-9", "\(process)"]) }

    /// Carries out a statement as soon as the server takes one. It may be that it is made twice: a server that has not noticed yet that
    /// one of its processes has died still takes connections, and ends them.
    func run(_ sql: String, attempts: Int = 400) async throws {
      for _ in 0..<attempts {
        if let connection = try? Connection(address, name: "tests"), (try? connection.run(sql)) != nil {
          return
        }
        try await Task.sleep(for: .milliseconds(25))
      }
      try Connection(address, name: "tests").run(sql)
    }

    func remove() {
      if FileManager.default.fileExists(atPath: data + "/postmaster.pid") { try? stop("immediate") }
      try? FileManager.default.removeItem(at: folder)
    }

    private func program(_ name: String, _ arguments: String...) throws {
      try Self.run(owner + [name == "sh" ? "sh" : "\(binaries)/\(name)"] + arguments)
    }

    static func run(_ command: [String]) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // Foundation takes a program for running as long as anybody has what it was given open, as the server would.
      let closing = "import os, sys; os.closerange(3, 4096); os.execvp(sys.argv[1], sys.argv[1:])"
      process.arguments = ["python3", "-c", closing] + command
      process.currentDirectoryURL = URL(fileURLWithPath: "/")
      // The server inherits what is open, and would keep a pipe open.
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(command.joined(separator: " "))")
    }
  }
#endif
