import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import ContactSheet
@testable import ContactSheetLibrary

@Suite struct PaceTests {
  private func channel(_ limits: WebLimits) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(
      PaceHandler(
        limits, Connections(limits, knowsPeople: false), TrustedProxies()))
    try channel.connect(to: .init(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  private func upload(_ pieces: Int, over channel: EmbeddedChannel) throws {
    let head = HTTPRequest(method: .post, scheme: nil, authority: "x", path: "/")
    channel.read()
    try channel.writeInbound(HTTPRequestPart.head(head))
    for _ in 0..<pieces where channel.isActive {
      channel.read()
      try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "x")))
    }
  }

  @Test func aBodyThatTricklesInIsCutOff() throws {
    var limits = WebLimits()
    limits.patience = .zero
    limits.slowestBytesPerSecond = .max
    let channel = try channel(limits)
    try upload(3, over: channel)
    #expect(!channel.isActive)
    var answer: [HTTPResponsePart] = []
    while let part = try channel.readOutbound(as: HTTPResponsePart.self) { answer.append(part) }
    guard case .head(let head) = answer.first else {
      Issue.record("No answer says why.")
      return
    }
    #expect(head.status == .requestTimeout)
    guard case .body(let body) = answer.dropFirst().first else {
      Issue.record("The answer has no reason.")
      return
    }
    #expect(String(buffer: body).contains("bytes a second"))
  }

  @Test func aBodyOfDecentSpeedIsNot() throws {
    var limits = WebLimits()
    limits.patience = .zero
    limits.slowestBytesPerSecond = 0
    let channel = try channel(limits)
    try upload(3, over: channel)
    #expect(channel.isActive)
    _ = try channel.finish()
  }

  @Test func patienceComesFirst() throws {
    var limits = WebLimits()
    limits.slowestBytesPerSecond = .max
    let channel = try channel(limits)
    try upload(3, over: channel)
    #expect(channel.isActive)
    _ = try channel.finish()
  }
}
