import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Makes several Host headers of one request visible as the one odd name that they are: what translates requests for
/// the server keeps the first and drops the others, and a proxy before it may have believed another.
final class HostHeaderHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
    let names = head.headers["Host"]
    guard names.count > 1 else { return context.fireChannelRead(data) }
    head.headers.replaceOrAdd(name: "Host", value: names.joined(separator: ", "))
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Adds the handler to a pipeline, before the one that translates requests.
  static func add(to context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    guard let translator = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    try? pipeline.addHandler(HostHeaderHandler(), position: .before(translator))
  }
}

@available(*, unavailable)
extension HostHeaderHandler: Sendable {}
