import ContactSheetLibrary
import Foundation
import Hummingbird
import NIOCore

/// The context of one request.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address that the request comes from: that of the connection, or what a trusted proxy says of it.
  var address: String
  /// The connection.
  let channel: any Channel
  /// True if the request is for an address that is not below the server's path.
  var isElsewhere = false
  /// The token of the session that the request belongs to.
  var session: String?
  /// Throws where whoever asks may not do so any more: what a body says is done only if that holds when it has come.
  var checkAdmission: @Sendable () throws -> Void = {}

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    address = Self.name(of: source.channel.remoteAddress)
  }

  /// The address without its port; of an IPv6 address the part that one customer has for itself.
  static func name(of address: SocketAddress?) -> String {
    address?.ipAddress.map { name(ofAddress: $0) } ?? "unknown"
  }

  /// The same of an address as text, which a proxy may write with a port or in brackets; `nil` where it is none.
  static func name(ofText text: String) -> String? {
    var bare = text
    if bare.beginsExactly(with: "["), let end = bare.firstByte(of: "]") {
      bare = String(Substring(bare[..<end].utf8.dropFirst()))
    } else if let colon = bare.firstByte(of: ":"), colon == bare.lastByte(of: ":") {
      bare = String(bare[..<colon])
    }
    return (try? SocketAddress(ipAddress: bare, port: 0)).flatMap(\.ipAddress).map { name(ofAddress: $0) }
  }

  private static func name(ofAddress text: String) -> String {
    guard text.containsByte(of: ":") else { return text }
    if text.beginsExactly(with: "::ffff:") { return String(text.dropFirst(7)) }
    let halves = text.components(separatedBy: "::")
    var groups = halves[0].parts(between: ":").map(String.init)
    if halves.count > 1 {
      let rest = halves[1].parts(between: ":").map(String.init)
      groups += Array(repeating: "0", count: max(0, 8 - groups.count - rest.count)) + rest
    }
    return groups.prefix(4).joined(separator: ":") + "::/64"
  }
}
