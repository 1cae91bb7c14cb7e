import Foundation
import Testing

@testable import ContactSheetLibrary

@Suite struct PasswordHashTests {
  static let cheap = PasswordHash.Cost(logRounds: 4, blockSize: 8, parallelism: 1)

  @Test func knowsThePasswordAndNoOther() throws {
    let hash = try PasswordHash(of: "correct horse", cost: Self.cheap)
    #expect(try hash.matches("correct horse"))
    for other in [
      "correct horse\0", "correct hors", "correct horse ", "Correct horse", "",
      String(repeating: "x", count: 5000),
    ] {
      #expect(try !hash.matches(other), "\(other)")
    }
  }

  @Test func aZeroByteIsNoPartOfAPassword() {
    #expect(throws: ContactSheetError.self) { try PasswordHash(of: "correct horse\0", cost: Self.cheap) }
  }

  @Test func isReadBackWithItsCostAndSalt() throws {
    let hash = try PasswordHash(of: "correct horse", cost: Self.cheap)
    let again = try #require(PasswordHash(hash.text))
    #expect(again == hash)
    #expect(hash.text.hasPrefix("$scrypt$ln=4,r=8,p=1$"))
    #expect(!hash.text.contains("correct"))
    #expect(try PasswordHash(of: "correct horse", cost: Self.cheap).salt != hash.salt)
  }

  /// The test vectors of RFC 7914.
  @Test func isScrypt() throws {
    let vectors: [(password: String, salt: String, cost: PasswordHash.Cost, key: String)] = [
      (
        "password", "NaCl", .init(logRounds: 10, blockSize: 8, parallelism: 16),
        "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"
      ),
      (
        "pleaseletmein", "SodiumChloride", .init(logRounds: 14, blockSize: 8, parallelism: 1),
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
      ),
    ]
    for vector in vectors {
      let bytes = stride(from: 0, to: 64, by: 2).compactMap { at in
        UInt8(vector.key.dropFirst(at).prefix(2), radix: 16)
      }
      // The salts of the vectors are shorter than ours may be, so they are lengthened where they are too short.
      guard vector.salt.utf8.count >= 8 else { continue }
      let cost = vector.cost
      let text =
        "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)$"
        + SecretBytes.encoded(Array(vector.salt.utf8)) + "$" + SecretBytes.encoded(bytes)
      #expect(try #require(PasswordHash(text)).matches(vector.password))
    }
  }

  @Test func doesNotCareHowAnAccentIsSpelled() throws {
    let hash = try PasswordHash(of: "caf\u{E9} au lait", cost: Self.cheap)
    #expect(try hash.matches("cafe\u{301} au lait"))
  }

  @Test func refusesShortPasswordsAndDamagedHashes() {
    #expect(throws: ContactSheetError.self) { try PasswordHash(of: "1234567", cost: Self.cheap) }
    for text in [
      "", "secret", "$scrypt$ln=4,r=8,p=1$AAAA", "$md5$ln=4,r=8,p=1$AAAAAAAAAAAA$AAAA",
      "$scrypt$ln=40,r=8,p=1$AAAAAAAAAAAAAAAA$\(SecretBytes.encoded(SecretBytes.random(32)))",
      "$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAA$AAAA",
    ] {
      #expect(PasswordHash(text) == nil, "\(text)")
    }
  }

  @Test func comparesAllBytesWhereverTheyDiffer() {
    #expect(SecretBytes.areEqual([1, 2, 3], [1, 2, 3]))
    for other in [[], [1, 2], [0, 2, 3], [1, 2, 4], [1, 2, 3, 4]] as [[UInt8]] {
      #expect(!SecretBytes.areEqual([1, 2, 3], other))
    }
  }
}

@Suite struct LoginThrottleTests {
  let stranger = LoginThrottle.Client.address("192.0.2.1")

  @Test func doublesTheWaitAfterTheFreeTriesUpToAMinute() {
    var throttle = LoginThrottle()
    var now: Duration = .zero
    for _ in 0..<LoginThrottle.freeTries { #expect(throttle.begin(stranger, now: now) == nil) }
    var waits: [Duration] = []
    for _ in 0..<10 {
      let wait = throttle.begin(stranger, now: now)
      waits.append(wait ?? .zero)
      now += wait ?? .zero
      #expect(throttle.begin(stranger, now: now) == nil)
    }
    #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60, 60, 60].map { .seconds($0) })
  }

  @Test func aTryThatComesTooEarlyDoesNotLengthenTheWait() {
    var throttle = LoginThrottle()
    for _ in 0..<LoginThrottle.freeTries { _ = throttle.begin(stranger, now: .zero) }
    for step in 0..<9 {
      #expect(throttle.begin(stranger, now: .milliseconds(step * 100)) == .milliseconds(1000 - step * 100))
    }
    #expect(throttle.begin(stranger, now: .seconds(1)) == nil)
  }

  @Test func nobodyElsePaysForIt() {
    var throttle = LoginThrottle()
    for step in 0..<1000 { _ = throttle.begin(stranger, now: .seconds(step)) }
    #expect(throttle.begin(.address("192.0.2.2"), now: .seconds(1000)) == nil)
    #expect(throttle.begin(.device("the owner's"), now: .seconds(1000)) == nil)
  }

  @Test func forgetsAfterAWhileAndAfterSuccess() {
    var throttle = LoginThrottle()
    for _ in 0..<LoginThrottle.freeTries { _ = throttle.begin(stranger, now: .zero) }
    throttle.succeeded(stranger)
    for _ in 0..<LoginThrottle.freeTries { #expect(throttle.begin(stranger, now: .zero) == nil) }
    #expect(throttle.begin(stranger, now: .zero) != nil)
    #expect(throttle.begin(stranger, now: LoginThrottle.memory + .seconds(1)) == nil)
    #expect(throttle.begin(stranger, now: LoginThrottle.memory + .seconds(1)) == nil)
  }

  @Test func itsMemoryIsBounded() {
    var throttle = LoginThrottle()
    for number in 0..<30_000 { _ = throttle.begin(.address("\(number)"), now: .milliseconds(number)) }
    #expect(throttle.count <= 10_000)
  }
}
