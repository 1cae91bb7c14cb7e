#if PostgreSQL
  import Foundation
  @testable import LiveFetchPostgres
  import Testing

  /// A server of a test's own, to be stopped.
  final class OwnServer: Sendable {
    /// A file system that the server alone sees, in the folder `small`, to be filled.
    struct Small {
      var megabytes: Int
      /// Whether the write-ahead log is there.
      var hasLog = false
    }

    let folder: URL
    let address: String
    private let binaries: String
    private let owner: [String]
    private let disk: SmallDisk?

    /// Whether file systems can be mounted here, in a namespace of one's own.
    static let canMount =
      (try? run(["unshare", "-m", "sh", "-c", "mount -t tmpfs -o size=1m tmpfs /mnt"])) != nil

    convenience init(settings: [String] = [], small: Small? = nil) async throws {
      try self.init(small: small) { server in
        let log = small?.hasLog == true ? ["--waldir", server.small + "/log", "--wal-segsize=1"] : []
        try server.program(
          "initdb",
          [
            "-D", server.data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "-N",
            "--no-instructions",
          ] + log)
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
    private init(small: Small? = nil, _ fill: (OwnServer) throws -> Void) throws {
      let environment = ProcessInfo.processInfo.environment
      binaries = try #require(environment["LIVELISTS_POSTGRES_BIN"])
      owner = (environment["LIVELISTS_POSTGRES_OWNER"] ?? "").split(separator: " ").map(String.init)
      // Within that of the server of all tests, which is removed at the end: a server whose folder is gone ends.
      let parent = URL(fileURLWithPath: try #require(environment["LIVELISTS_POSTGRES_DATA"]))
        .deletingLastPathComponent()
      let folder = parent.appendingPathComponent("own-\(UUID().uuidString.prefix(6))")
      self.folder = folder
      // Only the socket: no port has to be found.
      address = "host=\(folder.path) port=5432 user=tester dbname=postgres connect_timeout=2"
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      if !owner.isEmpty { try Self.run(["chown", "postgres", folder.path]) }
      disk = try small.map { try SmallDisk(folder.path + "/small", megabytes: $0.megabytes) }
      try fill(self)
      try set("unix_socket_directories = '\(folder.path)'")
      try start()
    }

    /// Adds a setting, for the next start.
    func set(_ line: String) throws {
      try inside(owner + ["sh", "-c", "echo \"\(line)\" >> \(data)/postgresql.auto.conf"])
    }

    /// A server that follows this one.
    func makeStandby() async throws -> OwnServer {
      try OwnServer { standby in
        try standby.program(
          "pg_basebackup",
          [
            "-D", standby.data, "-R", "-X", "stream", "-c", "fast", "-h", folder.path, "-p", "5432",
            "-U", "tester",
          ])
      }
    }

    func promote() throws { try program("pg_ctl", ["-D", data, "-w", "promote"]) }

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
    private var small: String { folder.path + "/small" }

    func start() throws {
      try program("pg_ctl", ["-D", data, "-l", folder.path + "/server.log", "-w", "start"])
    }
    func stop(_ mode: String) throws { try program("pg_ctl", ["-D", data, "-m", mode, "-w", "stop"]) }
    /// Stops it if it runs.
    func stopIfRunning(_ mode: String) throws {
      try inside(owner + ["\(binaries)/pg_ctl", "-D", data, "-m", mode, "-w", "stop"], mayFail: true)
    }

    func killBackend(_ process: Int32) throws { try Self.run(owner + ["kill", "-9", "\(process)"]) }

    /// Fills the small file system to its last byte.
    func fillSmall() throws { try inside(["sh", "-c", "cat /dev/zero > \(small)/filler"], mayFail: true) }

    /// Makes room on it again.
    func emptySmall() throws { try inside(["rm", small + "/filler"]) }

    /// Performs a statement as soon as the server takes one. It may be that it is made twice: a server that has not noticed yet that
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
      if FileManager.default.fileExists(atPath: data + "/postmaster.pid") { try? stopIfRunning("immediate") }
      disk?.end()
      try? FileManager.default.removeItem(at: folder)
    }

    private func program(_ name: String, _ arguments: [String]) throws {
      try inside(owner + ["\(binaries)/\(name)"] + arguments)
    }

    /// Runs a command where the small file system is there.
    private func inside(_ command: [String], mayFail: Bool = false) throws {
      try Self.run((disk?.prefix ?? []) + command, mayFail: mayFail)
    }

    /// Runs a command, and requires that it succeeds unless it may fail.
    static func run(_ command: [String], mayFail: Bool = false) throws {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      // Foundation takes a program for running as long as anybody has what it was given open, as the server would. Threads of its queues
      // block signals, and a program that inherits that cannot be ended by one.
      let beginning =
        "import os, signal, sys; os.closerange(3, 4096); signal.pthread_sigmask(signal.SIG_SETMASK, []); os.execvp(sys.argv[1], sys.argv[1:])"
      process.arguments = ["python3", "-c", beginning] + command
      process.currentDirectoryURL = URL(fileURLWithPath: "/")
      // The server inherits what is open, and would keep a pipe open.
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.standardInput = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      if !mayFail { try #require(process.terminationStatus == 0, "\(command.joined(separator: " "))") }
    }
  }

  /// A file system in memory that is mounted in a namespace of its own, which a process keeps alive whatever becomes of the server.
  private final class SmallDisk: Sendable {
    /// The beginning of a command that is to see the file system.
    let prefix: [String]
    private let keeper: String

    init(_ folder: String, megabytes: Int) throws {
      let own = ProcessInfo.processInfo.processIdentifier
      let mount =
        "mkdir -p \(folder) && mount -t tmpfs -o size=\(megabytes)m tmpfs \(folder) && chown postgres \(folder) && touch \(folder).there"
      // It ends with this process. Not one of Foundation's, which waits for the end of each before it sees that of another.
      try OwnServer.run([
        "sh", "-c",
        "setsid unshare -m sh -c '\(mount) && while kill -0 \(own); do sleep 1; done' & echo $! > \(folder).keeper",
      ])
      for _ in 0..<2_000 where !FileManager.default.fileExists(atPath: folder + ".there") { usleep(5_000) }
      try #require(
        FileManager.default.fileExists(atPath: folder + ".there"), "\(folder) could not be mounted.")
      keeper = try String(contentsOfFile: folder + ".keeper", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      prefix = ["nsenter", "--target", keeper, "--mount", "--"]
    }

    func end() { try? OwnServer.run(["kill", keeper]) }
  }
#endif
