import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

/// Guesses from very many networks: they are slowed down, and keep nobody out who knows the password.
@Suite struct LoginAttackTests {
  let folder: TestFolder
  init() throws { folder = try TestFolder() }

  private enum Answer: Hashable, Sendable { case accepted, wrong, tooEarly(isOfOthers: Bool), crowded }

  private static func tryToLogIn(
    _ access: Access, _ password: String = "a wrong guess", from address: String, device: String? = nil
  ) async throws -> Answer {
    switch try await access.logIn(password, from: address, device: device) {
    case .accepted: .accepted
    case .wrong: .wrong
    case .tooEarly(let delay): .tooEarly(isOfOthers: delay.isOfOthers)
    case .crowded: .crowded
    }
  }

  private func access() throws -> Access {
    try AccessTests.setPassword(AccessTests.password, of: folder.data)
    return try Access(folder.data, logger: .quiet, elapsed: { .zero })
  }

  /// An address in a network of 64 bits that nobody else has.
  private static func address(_ number: Int) -> String {
    "2001:\(String(number >> 12, radix: 16)):\(String(number & 0xFFF, radix: 16)):1::/64"
  }

  /// Takes the turn, so that tries wait until `end` is called.
  private func occupy(_ turns: LoginTurns) async throws -> (
    end: @Sendable () -> Void, task: Task<Void, any Error>
  ) {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let (ended, ending) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      _ = try await turns.pass(rank: LoginTurns.known) {
        beginning.yield()
        for await _ in ended {}
      }
    }
    _ = await begun.first { _ in true }
    return ({ ending.finish() }, task)
  }

  @Test func whoKnowsThePasswordGetsInThoughVeryManyNetworksGuess() async throws {
    let access = try access()
    let (end, task) = try await occupy(access.turns)
    // Each has tried once before, and each comes from a network of its own.
    let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
      for number in 0..<300 {
        group.addTask { try await Self.tryToLogIn(access, from: Self.address(number)) }
      }
      var answers: [Answer: Int] = [:]
      for _ in 0..<(300 - 32) { answers[try await group.next() ?? .accepted, default: 0] += 1 }
      #expect(access.turns.waiterCount == 32)
      // A new browser of the owner's, who waits for a seat among them.
      let owner = Task { try await Self.tryToLogIn(access, AccessTests.password, from: "192.0.2.7") }
      answers[try await group.next() ?? .accepted, default: 0] += 1
      end()
      #expect(try await owner.value == .accepted)
      for try await answer in group { answers[answer, default: 0] += 1 }
      return answers
    }
    #expect(answers == [.crowded: 269, .wrong: 31])
    try await task.value
    // Tries that were not looked at do not count.
    #expect(try await Self.tryToLogIn(access, from: Self.address(4096)) == .wrong)
  }

  @Test func aBrowserThatIsKnownLosesItsSeatToNobodyAndGoesFirst() async throws {
    let turns = LoginTurns(seats: 4)
    let order = Journal()
    let (end, task) = try await occupy(turns)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (number, rank) in [3, 0, LoginTurns.known, 2].enumerated() {
        group.addTask { _ = try await turns.pass(rank: rank) { order.add(rank) } }
        while turns.waiterCount <= number { await Task.yield() }
      }
      // The worst gives way, though it came first; and the newcomer where it is the worst itself.
      group.addTask { _ = try await turns.pass(rank: 1) { order.add(1) } }
      try await group.next()
      #expect(try await turns.pass(rank: 9) {} == nil)
      end()
      try await group.waitForAll()
    }
    #expect(order.entries == [LoginTurns.known, 0, 1, 2])
    try await task.value
  }

  @Test func amongEqualsChanceDecidesWhoLeaves() async throws {
    let turns = LoginTurns(seats: 8)
    let (end, task) = try await occupy(turns)
    let last = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<200 {
        group.addTask { try await turns.pass(rank: 0) { true } != nil }
        if number < 8 {
          while turns.waiterCount <= number { await Task.yield() }
        } else {
          _ = try await group.next()
        }
      }
      end()
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(last == 8)
    try await task.value
  }

  @Test func whoGivesUpLeavesTheQueue() async throws {
    let turns = LoginTurns()
    let (end, task) = try await occupy(turns)
    let waiting = Task { try await turns.pass(rank: 0) {} }
    while turns.waiterCount == 0 { await Task.yield() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(turns.waiterCount == 0)
    end()
    try await task.value
    #expect(try await turns.pass(rank: 0) { 7 } == 7)
  }

  /// Whoever is sent away unseen, or hangs up, may try again as if nothing had been.
  @Test func aTryThatIsNotLookedAtDoesNotCount() async throws {
    let access = try access()
    let (end, task) = try await occupy(access.turns)
    let seated = (0..<32).map { _ in Task { try await access.turns.pass(rank: LoginTurns.known) {} } }
    while access.turns.waiterCount < 32 { await Task.yield() }
    for _ in 0..<4 { #expect(try await Self.tryToLogIn(access, from: "192.0.2.8") == .crowded) }
    end()
    for waiter in seated { _ = try await waiter.value }
    try await task.value
    let (endAgain, taskAgain) = try await occupy(access.turns)
    for _ in 0..<4 {
      let attempt = Task { try await Self.tryToLogIn(access, from: "192.0.2.9") }
      while access.turns.waiterCount == 0 { await Task.yield() }
      attempt.cancel()
      await #expect(throws: CancellationError.self) { try await attempt.value }
    }
    endAgain()
    try await taskAgain.value
    for address in ["192.0.2.8", "192.0.2.9"] {
      for _ in 0..<5 { #expect(try await Self.tryToLogIn(access, from: address) == .wrong, "\(address)") }
    }
  }

  /// Of each network of 64 bits five tries are free; a household has 256 of them, a firm 65,536.
  @Test(arguments: [(8, 16), (16, 64)])
  func manyNetworksOfOneOwnerAreCountedTogether(_ bits: Int, _ free: Int) async throws {
    let access = try access()
    var looked = 0
    var answers: Set<Answer> = []
    for number in 0..<256 {
      let network =
        bits == 8
        ? "2001:db8:1:\(String(0x4200 + number, radix: 16))" : "2001:db8:1:\(String(number << 8, radix: 16))"
      let answer = try await Self.tryToLogIn(access, from: network + "::/64")
      answers.insert(answer)
      if answer == .wrong { looked += 1 }
    }
    #expect(looked == free)
    #expect(answers == [.wrong, .tooEarly(isOfOthers: true)])
    // Other networks pay nothing.
    #expect(
      try await Self.tryToLogIn(access, AccessTests.password, from: "2001:db8:2:4200::/64") == .accepted)
    #expect(try await Self.tryToLogIn(access, AccessTests.password, from: "192.0.2.1") == .accepted)
  }

  @Test func whoGetsInForgivesOnlyTheirOwnTries() async throws {
    let access = try access()
    for number in 0..<15 {
      #expect(
        try await Self.tryToLogIn(access, from: "2001:db8:1:42\(number < 10 ? "0" : "")\(number)::/64")
          == .wrong)
    }
    #expect(
      try await Self.tryToLogIn(access, AccessTests.password, from: "2001:db8:1:42ff::/64") == .accepted)
    #expect(try await Self.tryToLogIn(access, from: "2001:db8:1:42fe::/64") == .wrong)
    #expect(
      try await Self.tryToLogIn(access, from: "2001:db8:1:42fd::/64") == .tooEarly(isOfOthers: true))
  }

  @Test func theAnswerSaysWhatIsTrue() async throws {
    let server = try await TestServer()
    let access = try AccessTests.protected(server)
    var options = WebServer.Options()
    // So are connections called that there are none of.
    options.trustedProxies = ["unknown"]
    try await server.run(options, access: access) { client in
      func attempt(from address: String) async throws -> RouteAnswer {
        try await client.send(
          "/login", form: "password=wrong", headers: [.secFetchSite: "same-origin", .xForwardedFor: address])
      }
      for number in 0..<16 { _ = try await attempt(from: "2001:db8:1:\(4200 + number)::1") }
      let beside = try await attempt(from: "2001:db8:1:4299::1")
      #expect(
        beside.status == .tooManyRequests && beside.text.contains("from networks beside yours. Wait a second")
      )
      let (end, task) = try await occupy(access.turns)
      try await withThrowingTaskGroup(of: RouteAnswer.self) { group in
        for number in 0..<33 {
          group.addTask {
            try await client.send(
              "/login", form: "password=wrong",
              headers: [.secFetchSite: "same-origin", .xForwardedFor: "10.\(number).0.1"])
          }
        }
        let crowded = try #require(try await group.next())
        #expect(crowded.status == .serviceUnavailable && crowded.headers[.retryAfter] == "5")
        #expect(crowded.text.contains("your password was not looked at"))
        end()
        for try await answer in group { #expect(answer.status == .unauthorized) }
      }
      try await task.value
    }
  }
}

/// A journal of what happened, in order.
private final class Journal: Sendable {
  private let state = Mutex<[Int]>([])
  var entries: [Int] { state.withLock { $0 } }
  func add(_ entry: Int) { state.withLock { $0.append(entry) } }
}
