#if PostgreSQL
  import Foundation
  @testable import LiveFetchPostgres
  import Testing

  /// pgbouncer in transaction mode before a server.
  final class Bouncer {
    static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
      FileManager.default.isExecutableFile(atPath: $0)
    }

    let address: String
    private let program: String
    private let folder: URL
    private let owner: [String]

    /// Starts it before the server of all tests.
    convenience init() async throws {
      let environment = ProcessInfo.processInfo.environment
      try await self.init(host: environment["PGHOST"] ?? "", port: environment["PGPORT"] ?? "")
    }

    init(host: String, port: String = "5432") async throws {
      program = try #require(Self.program)
      let environment = ProcessInfo.processInfo.environment
      owner = (environment["LIVELISTS_POSTGRES_OWNER"] ?? "").split(separator: " ").map(String.init)
      let parent = URL(fileURLWithPath: try #require(environment["LIVELISTS_POSTGRES_DATA"]))
        .deletingLastPathComponent()
      folder = parent.appendingPathComponent("bouncer-\(UUID().uuidString.prefix(6))")
      address = "host=\(folder.path) port=6432 user=tester connect_timeout=2"
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("\"tester\" \"\"\n".utf8).write(to: folder.appendingPathComponent("users"))
      try lead(to: host, port)
      try await start()
    }

    /// Says where connections lead, from the next start or ``reload()`` on.
    func lead(to host: String, _ port: String = "5432") throws {
      let settings = """
        [databases]
        postgres = host=\(host) port=\(port)
        * = host=\(host) port=\(port)
        [pgbouncer]
        listen_port = 6432
        unix_socket_dir = \(folder.path)
        auth_type = trust
        auth_file = \(folder.path)/users
        pool_mode = transaction
        default_pool_size = 3
        server_login_retry = 1
        pidfile = \(folder.path)/pid
        logfile = \(folder.path)/log
        """
      try Data(settings.utf8).write(to: folder.appendingPathComponent("settings"))
      // It is read by whoever runs pgbouncer.
      if !owner.isEmpty { try OwnServer.run(["chown", "-R", "postgres", folder.path]) }
    }

    func start() async throws {
      try OwnServer.run(owner + [program, "-d", "-q", folder.path + "/settings"])
      for _ in 0..<400 where (try? Connection(address + " dbname=postgres", name: "tests")) == nil {
        try await Task.sleep(for: .milliseconds(25))
      }
    }

    /// Has the settings read anew: transactions go to the other server from now on.
    func reload() throws { try signal("HUP") }

    /// Ends it at once, and waits until it is gone.
    func stop() async throws {
      let process = try processNumber()
      try signal("TERM")
      for _ in 0..<400 where FileManager.default.fileExists(atPath: "/proc/\(process)") {
        try await Task.sleep(for: .milliseconds(25))
      }
    }

    private func processNumber() throws -> String {
      try String(contentsOf: folder.appendingPathComponent("pid"), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private func signal(_ name: String) throws {
      try OwnServer.run(owner + ["kill", "-\(name)", processNumber()])
    }

    func end() {
      try? signal("TERM")
      try? FileManager.default.removeItem(at: folder)
    }
  }
#endif
