import HTTPTypes
import Hummingbird
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Attacks by somebody who takes all there is: connections, uploads, memory.
@Suite struct ConnectionAttackTests {
  private func channel() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.connect(to: .init(ipAddress: "10.0.0.1", port: 1)).wait()
    return channel
  }

  private func limits(_ connections: Int, perAddress: Int) -> WebLimits {
    var limits = WebLimits()
    limits.connections = connections
    limits.connectionsPerAddress = perAddress
    return limits
  }

  @Test func oneAddressGetsItsShareOfConnectionsAndNoMore() throws {
    let connections = Connections(limits(100, perAddress: 2), knowsPeople: false)
    let channels = try (0..<3).map { _ in try channel() }
    #expect(connections.admit(channels[0], from: "10.0.0.1"))
    #expect(connections.admit(channels[1], from: "10.0.0.1"))
    #expect(!connections.admit(channels[2], from: "10.0.0.1"))
    #expect(connections.admit(channels[2], from: "10.0.0.2"))
    connections.remove(channels[0])
    #expect(connections.admit(try channel(), from: "10.0.0.1"))
  }

  @Test func proxiesAndThisMachineAreNotCounted() throws {
    let connections = Connections(limits(100, perAddress: 1), knowsPeople: false)
    for _ in 0..<5 { #expect(connections.admit(try channel(), from: nil) || connections.count > 0) }
    #expect(TrustedProxies().speaksForOthers("127.0.0.1"))
    #expect(!TrustedProxies().speaksForOthers("127.0.0.2"))
    #expect(TrustedProxies(addresses: ["10.0.0.9"]).speaksForOthers("10.0.0.9"))
  }

  @Test func aStrangerGivesWayToWhoComesAndNobodyWhoHasLoggedInDoes() throws {
    let connections = Connections(limits(3, perAddress: 100), knowsPeople: true)
    let channels = try (0..<3).map { _ in try channel() }
    for (index, channel) in channels.enumerated() {
      #expect(connections.admit(channel, from: "10.0.0.\(index)"))
    }
    connections.recognize(channels[0])
    #expect(connections.admit(try channel(), from: "10.0.0.7"))
    #expect(channels[0].isActive)
    #expect(!channels[1].isActive)
    #expect(channels[2].isActive)
    #expect(connections.count == 3)
  }

  @Test func whereAllHaveLoggedInTheNextOneWaits() throws {
    let connections = Connections(limits(1, perAddress: 100), knowsPeople: true)
    let first = try channel()
    #expect(connections.admit(first, from: "10.0.0.1"))
    connections.recognize(first)
    #expect(!connections.admit(try channel(), from: "10.0.0.2"))
    #expect(first.isActive)
  }

  @Test func oneAddressGetsItsShareOfUploads() async throws {
    let counter = UploadCounter(10, perAddress: 1)
    try await counter.pass(from: "10.0.0.1") { _ in
      #expect(await code { try await counter.pass(from: "10.0.0.1") { _ in } } == .busy)
      #expect(await code { try await counter.pass(from: "10.0.0.2") { _ in } } == nil)
    }
    #expect(await code { try await counter.pass(from: "10.0.0.1") { _ in } } == nil)
  }

  @Test func bodiesWaitForMemoryAndAreRefusedInTheEnd() async throws {
    let budget = MemoryBudget(limit: 100, clock: ImpatientClock())
    try await budget.take(50, for: "a")
    try await budget.take(50, for: "b")
    #expect(await code { try await budget.take(1, for: "c") } == .busy)
    await budget.release(50, of: "a")
    try await budget.take(50, for: "c")
  }

  @Test func oneAddressGetsHalfOfTheMemory() async throws {
    let budget = MemoryBudget(limit: 100, clock: ImpatientClock())
    try await budget.take(50, for: "a")
    #expect(await code { try await budget.take(1, for: "a") } == .busy)
    try await budget.take(50, for: "b")
  }

  @Test func whoWaitsForMemoryGetsItWhenItComesBack() async throws {
    let budget = MemoryBudget(limit: 100)
    try await budget.take(50, for: "a")
    try await budget.take(50, for: "b")
    async let third: Void = budget.take(50, for: "c")
    while await budget.waiterCount == 0 { await Task.yield() }
    await budget.release(50, of: "a")
    try await third
    #expect(await budget.waiterCount == 0)
  }
}

/// Attacks by a crowd of which each holds a part of what the others want, and waits for more of it.
@Suite struct HoldAndWaitTests {
  @Test func whatComesInPartsWaitsAsLongAsWhatComesAtOnce() async throws {
    let clock = SteppedClock()
    let budget = MemoryBudget(limit: 100, patience: .seconds(10), clock: clock)
    try await budget.take(50, for: "a")
    try await budget.take(50, for: "b")
    var waited = Duration.zero
    async let release: Void = {
      await clock.sleeper()
      clock.advance(by: .seconds(6))
      await budget.release(50, of: "a")
    }()
    try await budget.take(10, for: "c", waited: &waited)
    await release
    #expect(waited == .seconds(6))
    // What is there is given at once, and takes no patience.
    try await budget.take(30, for: "c", waited: &waited)
    #expect(waited == .seconds(6))
    try await budget.take(10, for: "d")
    async let refusal: Void = {
      await clock.sleeper()
      clock.advance(by: .seconds(4))
    }()
    #expect(await code { try await budget.take(20, for: "c", waited: &waited) } == .busy)
    await refusal
    #expect(waited == .seconds(10))
    #expect(await code { try await budget.take(20, for: "c", waited: &waited) } == .busy)
    #expect(await budget.waiterCount == 0)
  }
}

/// A clock that goes on when it is told to.
private final class SteppedClock: Clock {
  typealias Instant = ContinuousClock.Instant
  private struct State {
    var now = ContinuousClock.now
    var next = 0
    var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, Never>)] = [:]
  }

  private let state = Mutex(State())
  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .nanoseconds(1) }

  /// Waits until somebody sleeps.
  func sleeper() async { while state.withLock({ $0.sleepers.isEmpty }) { await Task.yield() } }

  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.now >= deadline || Task.isCancelled { return true }
          state.sleepers[number] = (deadline, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
    }
    try Task.checkCancellation()
  }
}

/// A clock on which no wait takes any time.
private struct ImpatientClock: Clock {
  let clock = ContinuousClock()
  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }
  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {}
}

/// Attacks by names: whom a request is addressed to, and whom it comes from.
@Suite struct AddressAttackTests {
  @Test(arguments: [
    "localhost:evil", "localhost:80@evil.example", "evil.example@localhost", "localhost, evil.example",
    "localhost ",
    "localhost:99999", "[::1]x", "[::1", "[::1]:80:80", "127.0.0.1:123456", "localhost/", "localhost\\",
    "localhost:", "", ":80",
    "::1",
    "127.0.0.1\u{0}", "ⓛocalhost", "local\u{301}host", "localhost.evil.example",
  ])
  func anOddHostIsRefused(_ host: String) {
    // An empty port is what a browser may send, and means none.
    #expect(HostPolicy().accepts(authority: host) == (host == "localhost:"))
  }

  @Test func theAddressIsThatOfTheLastHopThatIsNotOurs() {
    let proxies = TrustedProxies(addresses: ["127.0.0.1", "10.0.0.1"])
    func client(_ forwarded: String..., connection: String = "127.0.0.1") -> String {
      var headers = HTTPFields()
      for value in forwarded { headers.append(HTTPField(name: .xForwardedFor, value: value)) }
      return proxies.client(of: headers, connection: connection)
    }
    #expect(client("1.2.3.4") == "1.2.3.4")
    #expect(client("6.6.6.6, 1.2.3.4") == "1.2.3.4")
    #expect(client("6.6.6.6", "1.2.3.4, 10.0.0.1") == "1.2.3.4")
    #expect(client("1.2.3.4:5678") == "1.2.3.4")
    #expect(client("[2001:db8::1]:80") == "2001:db8:0:0::/64")
    #expect(client("nonsense") == "127.0.0.1")
    #expect(client("1.2.3.4, nonsense") == "127.0.0.1")
    #expect(client() == "127.0.0.1")
    // Nobody else is believed.
    #expect(client("6.6.6.6", connection: "9.9.9.9") == "9.9.9.9")
  }

  /// A comma after U+0D4E is no `Character` of its own: the hops before and after it would be one, and no address.
  @Test(arguments: MarkupAttackTests.joiners.filter { $0.value >= 0x20 })
  func noJoinerHidesAHop(_ joiner: Unicode.Scalar) {
    let proxies = TrustedProxies(addresses: ["127.0.0.1"])
    func client(_ forwarded: String) -> String {
      proxies.client(of: [.xForwardedFor: forwarded], connection: "127.0.0.1")
    }
    #expect(client("\(joiner), 1.2.3.4") == "1.2.3.4")
    #expect(client("6.6.6.6\(joiner),1.2.3.4") == "1.2.3.4")
    #expect(client("[\(joiner), [2001:db8::1]:80") == "2001:db8:0:0::/64")
    #expect(client("6.6.6.6,\(joiner)1.2.3.4") == "127.0.0.1")
  }

  @Test func aJoinerBesideATypeHidesNoPage() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    try await server.run(access: access) { client in
      let answer = try await client.send(.get, "/albums", headers: [.accept: "\u{0D4E}text/html\u{0301}"])
      #expect(answer.status == .seeOther)
    }
    let open = try await TestServer()
    try await open.run { client in
      let answer = try await client.send(.get, "/nothing", headers: [.accept: "\u{0D4E}text/html\u{0301}"])
      #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
    }
  }

  @Test func theLoginThrottleCountsByTheForwardedAddress() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    var options = WebServer.Options()
    options.trustedProxies = ["127.0.0.1"]
    try await server.serve(options, access: access) { send in
      func attempt(from address: String) async throws -> Int {
        try await send("/login", "password=wrong", ["X-Forwarded-For": address])
      }
      var answers: [Int] = []
      for _ in 0...LoginThrottle.freeTries { answers.append(try await attempt(from: "1.1.1.1")) }
      answers.append(try await attempt(from: "6.6.6.6, 1.1.1.1"))
      answers.append(try await attempt(from: "2.2.2.2"))
      #expect(answers == [Int](repeating: 401, count: LoginThrottle.freeTries) + [429, 429, 401])
    }
  }

  @Test func whoCannotBeAProxyIsNotBelieved() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    try await server.serve(access: access) { send in
      for number in 0...LoginThrottle.freeTries {
        let status = try await send("/login", "password=wrong", ["X-Forwarded-For": "1.1.1.\(number)"])
        #expect(status == (number < LoginThrottle.freeTries ? 401 : 429))
      }
    }
  }

  @Test func browsersAreToldToComeByHTTPSAlways() async throws {
    let server = try await TestServer()
    var options = WebServer.Options()
    options.isBehindHTTPS = true
    try await server.run(options) { client in
      let answer = try await client.send(.get, "/api/albums")
      #expect(answer.headers[.strictTransportSecurity] == "max-age=31536000")
    }
  }
}
