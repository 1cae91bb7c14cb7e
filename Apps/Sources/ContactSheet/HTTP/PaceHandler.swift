import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Registers a connection, and closes one whose other side is too slow on purpose: that sends a body byte by byte, or
/// that asks for files and does not take them. Silence is dealt with elsewhere, by the limit of idle time.
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
    HostHeaderHandler.add(to: context)
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
    case .head:
      waited = .zero
      received = 0
      hasAnswered = false
    case .body(let bytes):
      if let since = waitingSince { waited = waited + (.now() - since) }
      received += bytes.readableBytes
      if isTooSlow {
        refuse(context)
        return
      }
    case .end: break
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
    if case .head = unwrapOutboundIn(data) { hasAnswered = true }
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
