import HTTPTypes

/// Which requests are this server's to answer, and which of them may write.
///
/// A page of another site can make a browser send requests here, and can point a name of its own at this
/// address ("DNS rebinding") to read the answers. The first is seen by the Origin, the second by the Host.
struct HostPolicy: Sendable {
  /// Names by which the server may be called, without port.
  var names: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
  /// Whether any numeric address will do: an attacker's name is never one.
  var acceptsAddresses = false

  /// Whether a request is addressed to this server.
  func accepts(authority: String?) -> Bool {
    guard let authority, !authority.isEmpty else { return false }
    let name = Self.host(of: authority).lowercased()
    if names.contains(name) { return true }
    return acceptsAddresses && Self.isAddress(name)
  }

  /// Whether a request that writes comes from a page of this server, or from no page at all.
  func acceptsWrite(headers: HTTPFields, authority: String?) -> Bool {
    if let site = headers[.secFetchSite], site != "same-origin", site != "none" { return false }
    guard let origin = headers[.origin] else { return true }
    guard let authority, let mark = origin.firstRange(of: "://") else { return false }
    return origin[mark.upperBound...].lowercased() == authority.lowercased()
  }

  /// The authority without its port.
  static func host(of authority: String) -> String {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return String(authority[...end])
    }
    return String(authority.prefix { $0 != ":" })
  }

  static func isAddress(_ host: String) -> Bool {
    if host.hasPrefix("["), host.hasSuffix("]") {
      return host.dropFirst().dropLast().allSatisfy { $0.isHexDigit || $0 == ":" || $0 == "." }
    }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}

extension HTTPField.Name {
  static var secFetchSite: Self { known("Sec-Fetch-Site") }
  static var secFetchDest: Self { known("Sec-Fetch-Dest") }
  static var lastEventID: Self { known("Last-Event-ID") }
  static var xAccelBuffering: Self { known("X-Accel-Buffering") }
  static var referrerPolicy: Self { known("Referrer-Policy") }
  static var clearSiteData: Self { known("Clear-Site-Data") }
  static var openerPolicy: Self { known("Cross-Origin-Opener-Policy") }
  static var resourcePolicy: Self { known("Cross-Origin-Resource-Policy") }

  /// A header's name that is spelled here; the fallback is never reached, since the names are valid tokens.
  private static func known(_ name: String) -> Self { HTTPField.Name(name) ?? .from }
}
