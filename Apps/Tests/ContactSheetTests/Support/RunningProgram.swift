#if os(Linux)
  @testable import ContactSheetLibrary
  import Foundation
  import Testing

  @testable import ContactSheet

  /// A server that runs as a process of its own, and is asked over connections that a test holds.
  struct RunningProgram {
    let run: Run
    let port: Int
    private let guardian: Guardian

    init(_ folder: TestFolder, _ arguments: String...) async throws {
      run = try Run(["serve", "--port", "0", "--data", folder.data.path] + arguments)
      guardian = Guardian(run, seconds: 1200)
      port = try await run.url().port
    }

    /// Ends the server as Ctrl-C does.
    func stop() async { await end(by: SIGTERM) }

    /// Ends the server by a signal.
    func end(by signal: Int32) async {
      run.signal(signal)
      let status = await run.wait()
      #expect(status == (signal == SIGKILL ? SIGKILL : 0), "\(run.text)")
      guardian.dismiss()
    }

    /// Returns the head of a request, with an empty line at its end.
    func head(_ method: String, _ target: String, _ headers: [String] = [], length: Int? = nil) -> String {
      let fields = ["Host: 127.0.0.1:\(port)"] + (length.map { ["Content-Length: \($0)"] } ?? []) + headers
      return (["\(method) \(target) HTTP/1.1"] + fields + ["", ""]).joined(separator: "\r\n")
    }

    /// Sends a request on a connection of its own, which stays open.
    func begin(
      _ method: String, _ target: String, _ headers: [String] = [], from source: String? = nil
    ) throws -> RawConnection {
      let connection = try RawConnection(port: port, from: source)
      try connection.send(head(method, target, headers))
      return connection
    }

    /// Sends a request and returns the whole answer as text.
    func ask(
      _ method: String, _ target: String, _ headers: [String] = [], json: String? = nil
    ) throws -> String {
      let connection = try RawConnection(port: port)
      let type = json == nil ? [] : ["Content-Type: application/json"]
      try connection.send(
        head(method, target, headers + type + ["Connection: close"], length: json?.utf8.count) + (json ?? ""))
      return connection.receiveAll()
    }

    /// Sends a request and returns the status of the answer; 0 where there was none.
    func status(
      _ method: String, _ target: String, _ headers: [String] = [], json: String? = nil
    ) throws -> Int {
      Self.status(try ask(method, target, headers, json: json))
    }

    static func status(_ answer: String) -> Int {
      answer.split(separator: " ", maxSplits: 2).dropFirst().first.flatMap { Int($0) } ?? 0
    }
  }
#endif
