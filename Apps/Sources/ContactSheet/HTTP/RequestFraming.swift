import ContactSheetLibrary
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Settles what two programs that read the same bytes may take for different things: which server a request is for, where
/// its body ends, and whether the connection goes on after the answer.
///
/// * Several Host headers become the one odd name that they are: what translates requests keeps the first and drops the
///   others, and a proxy before may have believed another.
/// * The host of an absolute target takes the place of the Host header (RFC 9112, 3.2.2).
/// * No transfer coding but chunked is known, and none in HTTP/1.0 (RFC 9112, 6.1).
/// * What is in a body and is none of it, such as the extensions of its chunks, has a limit.
/// * Where the connection is not to go on, and in HTTP/1.0 always, the answer says so and the connection ends with it.
final class RequestFraming: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// An answer that is still to come.
  private struct Answer {
    /// Whether the connection ends with it.
    var isLast: Bool
    /// Whether the other side speaks HTTP/1.0, which has no chunks.
    var isOld: Bool
  }

  /// The bytes since the last part of a body that may be none of the body.
  private static let overheadLimit = 16 << 10

  private let lingering: TimeAmount
  private var answers = CircularBuffer<Answer>()
  private var overhead = 0
  private var isInBody = false
  private var isRefused = false
  private var isLastAnswer = false

  private init(_ lingering: TimeAmount) { self.lingering = lingering }

  /// Adds the handler to a pipeline, before the one that translates requests.
  ///
  /// - Parameter lingering: The time that the other side has to take the last answer.
  static func add(to context: ChannelHandlerContext, lingering: TimeAmount) {
    let pipeline = context.pipeline.syncOperations
    guard let translator = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self),
      let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    else { return }
    let framing = RequestFraming(lingering)
    try? pipeline.addHandler(framing, position: .before(translator))
    try? pipeline.addHandler(ByteCounter(framing), position: .before(decoder))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    overhead = 0
    switch unwrapInboundIn(data) {
    case .head(var head):
      guard Self.hasPlainBody(head), Self.settleHost(of: &head) else { return refuse(context) }
      let isOld = Self.isOld(head)
      let isLast = isOld || !head.isKeepAlive
      // The server looks for this spelling alone.
      if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
      answers.append(Answer(isLast: isLast, isOld: isOld))
      isInBody = true
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .body: context.fireChannelRead(data)
    case .end:
      isInBody = false
      context.fireChannelRead(data)
    }
  }

  /// Takes the number of bytes that came, before they are read.
  ///
  /// - Returns: Whether there are not too many of a body that are none of it.
  fileprivate func takes(_ count: Int) -> Bool {
    guard isInBody else { return true }
    guard overhead <= Self.overheadLimit else { return false }
    overhead += count
    return true
  }

  /// Gives up reading. The error is answered as one of the parser is, and counted.
  fileprivate func refuse(_ context: ChannelHandlerContext) {
    guard !isRefused else { return }
    isRefused = true
    context.fireErrorCaught(HTTPParserError.unknown)
  }

  /// Returns whether a request is of HTTP/1.0 or older.
  private static func isOld(_ head: HTTPRequestHead) -> Bool {
    head.version.major < 1 || head.version.major == 1 && head.version.minor < 1
  }

  private static func hasPlainBody(_ head: HTTPRequestHead) -> Bool {
    let codings = head.headers["Transfer-Encoding"]
    guard !codings.isEmpty else { return true }
    return !isOld(head) && codings.count == 1 && codings[0].asciiLowercased.isExactly("chunked")
      && !head.headers.contains(name: "Content-Length")
  }

  /// Makes the Host header name the server that the request is for, and the target the path on it.
  ///
  /// - Returns: `false` where the target is none.
  private static func settleHost(of head: inout HTTPRequestHead) -> Bool {
    let names = head.headers["Host"]
    if names.count > 1 {
      head.headers.replaceOrAdd(name: "Host", value: names.joined(separator: ", "))
    }
    guard !head.uri.beginsExactly(with: "/"), !head.uri.isExactly("*"), head.method != .CONNECT else {
      return true
    }
    let start = head.uri.asciiLowercased
    guard let scheme = ["http://", "https://"].first(where: { start.beginsExactly(with: $0) }) else {
      return false
    }
    let rest = head.uri.utf8.dropFirst(scheme.utf8.count)
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    guard end > rest.startIndex else { return false }
    if names.count <= 1 { head.headers.replaceOrAdd(name: "Host", value: String(Substring(rest[..<end]))) }
    let path = String(Substring(rest[end...]))
    head.uri = path.beginsExactly(with: "/") ? path : "/" + path
    return true
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head) where head.status.code >= 200:
      let answer = answers.first
      isLastAnswer = answer?.isLast == true || isRefused && answers.count <= 1
      guard isLastAnswer else { return context.write(data, promise: promise) }
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      if answer?.isOld == true { head.version = .http1_0 }
      context.write(wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      _ = answers.popFirst()
      guard isLastAnswer else { return context.write(data, promise: promise) }
      context.writeLast(data, lingering: lingering, promise: promise)
    default: context.write(data, promise: promise)
    }
  }
}

@available(*, unavailable)
extension RequestFraming: Sendable {}

extension ChannelHandlerContext {
  /// Writes the end of the last answer, and closes the connection when the other side has had time to take it: closed at
  /// once, the system would take back what it has not read yet.
  func writeLast(_ data: NIOAny, lingering: TimeAmount, promise: EventLoopPromise<Void>?) {
    let written = promise ?? eventLoop.makePromise(of: Void.self)
    let channel = channel
    written.futureResult.whenComplete { _ in
      channel.close(mode: .output, promise: nil)
      _ = channel.eventLoop.scheduleTask(in: lingering) { channel.close(promise: nil) }
    }
    write(data, promise: written)
  }
}

/// Counts bytes before they are read as HTTP.
private final class ByteCounter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let framing: RequestFraming

  init(_ framing: RequestFraming) { self.framing = framing }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard framing.takes(unwrapInboundIn(data).readableBytes) else { return framing.refuse(context) }
    context.fireChannelRead(data)
  }
}
