import NIOCore
import NIOHTTPTypes

/// Closes connections whose other side is too slow on purpose: that sends a body byte by byte, or that asks for
/// files and does not take them. Silence is dealt with elsewhere, by the limit of idle time.
///
/// Only the time spent waiting for the other side counts, not the time in which we were too busy to read.
final class PaceHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: WebLimits
  private var waitingSince: NIODeadline?
  private var waited: TimeAmount = .zero
  private var received = 0
  private var stall: Scheduled<Void>?

  init(_ limits: WebLimits) { self.limits = limits }

  func read(context: ChannelHandlerContext) {
    waitingSince = waitingSince ?? .now()
    context.read()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      waited = .zero
      received = 0
    case .body(let bytes):
      if let since = waitingSince { waited = waited + (.now() - since) }
      received += bytes.readableBytes
      if isTooSlow {
        context.close(promise: nil)
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

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    if !context.channel.isWritable {
      let channel = context.channel
      stall = context.eventLoop.scheduleTask(in: TimeAmount(limits.idle)) { channel.close(promise: nil) }
    }
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stall?.cancel()
    stall = nil
    context.fireChannelInactive()
  }
}

@available(*, unavailable)
extension PaceHandler: Sendable {}
