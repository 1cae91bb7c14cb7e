import Foundation
import Hummingbird
import NIOCore

/// What belongs to one request, besides the request.
struct WebContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// Where the request comes from, as far as the connection tells.
  let address: String
  /// The token of the session that the request belongs to.
  var session: String?

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    address = Self.name(of: source.channel.remoteAddress)
  }

  /// The address without its port; of an IPv6 address the part that one customer has for itself.
  static func name(of address: SocketAddress?) -> String {
    guard let text = address?.ipAddress else { return "unknown" }
    guard text.contains(":") else { return text }
    if text.hasPrefix("::ffff:") { return String(text.dropFirst(7)) }
    let halves = text.components(separatedBy: "::")
    var groups = halves[0].split(separator: ":").map(String.init)
    if halves.count > 1 {
      let rest = halves[1].split(separator: ":").map(String.init)
      groups += Array(repeating: "0", count: max(0, 8 - groups.count - rest.count)) + rest
    }
    return groups.prefix(4).joined(separator: ":") + "::/64"
  }
}
