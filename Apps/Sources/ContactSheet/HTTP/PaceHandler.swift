import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Registers a connection, and closes one whose other side is too slow on purpose: that sends a body byte by byte, or
/// that asks for files and does not take them. Silence is dealt with elsewhere, by the limit of idle time.
///
/// The same goes for a body that was refused and does not end: what is announced, or comes, beyond all reason is not waited for.
///
/// Only the time spent waiting for the other side counts, not the time in which we were too busy to read.
final class PaceHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: WebLimits
  private let connections: Connections
  private let proxies: TrustedProxies
  private let counters: RequestCounters?
  private var waitingSince: NIODeadline?
  private var waited: TimeAmount = .zero
  private var received = 0
  private var hasAnswered = false
  private var stall: Scheduled<Void>?
  /// Whether a body is on its way.
  private var isReceiving = false
  /// How much of it is still to come, as it was announced.
  private var announced = 0
  private var isLastAnswer = false

  init(
    _ limits: WebLimits, _ connections: Connections, _ proxies: TrustedProxies,
    _ counters: RequestCounters? = nil
  ) {
    self.limits = limits
    self.connections = connections
    self.proxies = proxies
    self.counters = counters
  }

  func handlerAdded(context: ChannelHandlerContext) {
    ReceiveBuffers.keepSmall(context.channel)
    RequestFraming.add(to: context, lingering: TimeAmount(limits.lingering))
    let address = WebContext.name(of: context.channel.remoteAddress)
    if !connections.admit(context.channel, from: proxies.speaksForOthers(address) ? nil : address) {
      context.close(promise: nil)
    }
  }

  func read(context: ChannelHandlerContext) {
    waitingSince = waitingSince ?? .now()
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      isReceiving = true
      announced = head.headerFields.announcedLength ?? 0
      waited = .zero
      received = 0
      hasAnswered = false
    case .body(let bytes):
      if let since = waitingSince { waited = waited + (.now() - since) }
      received += bytes.readableBytes
      announced = max(0, announced - bytes.readableBytes)
      // The answer is out: what comes now is dropped.
      if hasAnswered, received > limits.dropped { return context.close(promise: nil) }
      if isTooSlow {
        refuse(context)
        return
      }
    case .end: isReceiving = false
    }
    waitingSince = nil
    context.fireChannelRead(data)
  }

  private var isTooSlow: Bool {
    let beyond = waited.nanoseconds - TimeAmount(limits.patience).nanoseconds
    guard beyond > 0 else { return false }
    return Double(received) < Double(beyond) / 1e9 * Double(limits.slowestBytesPerSecond)
  }

  /// Answers with the reason and closes the connection; only closes it where an answer is on its way already.
  private func refuse(_ context: ChannelHandlerContext) {
    guard !hasAnswered else { return context.close(promise: nil) }
    let text =
      "{\"error\":{\"code\":\"tooSlow\",\"message\":\"The file came with less than"
      + " \(limits.slowestBytesPerSecond) bytes a second. Try again where the line is faster.\"}}"
    let headers: HTTPFields = [
      .contentType: "application/json", .connection: "close", .contentLength: String(text.utf8.count),
    ]
    let head = HTTPResponse(status: .requestTimeout, headerFields: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: text))), promise: nil)
    let channel = context.channel
    let written = context.eventLoop.makePromise(of: Void.self)
    written.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    hasAnswered = true
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head):
      hasAnswered = true
      guard isReceiving, announced > limits.dropped || head.headerFields[.connection] == "close" else {
        break
      }
      isLastAnswer = true
      head.headerFields[.connection] = "close"
      return context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end where isLastAnswer:
      return context.writeLast(data, lingering: TimeAmount(limits.lingering), promise: promise)
    default: break
    }
    context.write(data, promise: promise)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    if !context.channel.isWritable {
      let channel = context.channel
      stall = context.eventLoop.scheduleTask(in: TimeAmount(limits.idle)) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed { connections.close(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError { counters?.countMalformed() }
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    connections.remove(context.channel)
    context.fireChannelInactive()
  }
}

@available(*, unavailable)
extension PaceHandler: Sendable {}
