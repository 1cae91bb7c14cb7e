import ContactSheetLibrary
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
  /// Whether the server's pages come by https alone: those of its name that came without are anybody's.
  var isSecure = false

  /// Whether a request is addressed to this server.
  func accepts(authority: String?) -> Bool {
    guard let authority, let host = Self.host(of: authority) else { return false }
    let name = host.asciiLowercased
    if names.contains(name) { return true }
    return acceptsAddresses && Self.isAddress(name)
  }

  /// Whether a request that writes comes from a page of this server, or from no page at all.
  func acceptsWrite(headers: HTTPFields, authority: String?) -> Bool {
    if let site = headers[.secFetchSite], !site.isExactly("same-origin"), !site.isExactly("none") {
      return false
    }
    guard let origin = headers[.origin] else { return true }
    guard let authority, let mark = origin.utf8.firstRange(of: "://".utf8) else { return false }
    // Without https, what has the same name by https is another program's.
    guard origin[..<mark.lowerBound].asciiLowercased.isExactly(isSecure ? "https" : "http") else {
      return false
    }
    return origin[mark.upperBound...].asciiLowercased.isExactly(authority.asciiLowercased)
  }

  /// The authority without its port; `nil` where it is not a name or an address with a port or none.
  static func host(of authority: String) -> String? {
    let bytes = Array(authority.utf8)
    var end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bracket + 1
    } else {
      guard bytes[..<end].allSatisfy(isOfName) else { return nil }
    }
    guard end > 0 else { return nil }
    if end < bytes.count {
      let port = bytes[(end + 1)...]
      guard bytes[end] == UInt8(ascii: ":"),
        port.isEmpty || OutsideNumber.exact(String(decoding: port, as: UTF8.self), in: 0...65_535) != nil
      else {
        return nil
      }
    }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 48...57, 0x80...: true
    default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_")].contains(byte)
    }
  }

  static func isAddress(_ host: String) -> Bool {
    if host.beginsExactly(with: "["), host.endsExactly(with: "]") {
      return host.utf8.dropFirst().dropLast().allSatisfy { "0123456789abcdefABCDEF:.".utf8.contains($0) }
    }
    let parts = host.parts(between: ".", omittingEmpty: false)
    return parts.count == 4 && parts.allSatisfy { OutsideNumber.exact($0, in: 0...255) != nil }
  }
}

extension HTTPField.Name {
  static var secFetchSite: Self { known("Sec-Fetch-Site") }
  static var secFetchDest: Self { known("Sec-Fetch-Dest") }
  static var xForwardedFor: Self { known("X-Forwarded-For") }
  static var lastEventID: Self { known("Last-Event-ID") }
  static var xAccelBuffering: Self { known("X-Accel-Buffering") }
  static var referrerPolicy: Self { known("Referrer-Policy") }
  static var clearSiteData: Self { known("Clear-Site-Data") }
  static var openerPolicy: Self { known("Cross-Origin-Opener-Policy") }
  static var resourcePolicy: Self { known("Cross-Origin-Resource-Policy") }

  /// A header's name that is spelled here; the fallback is never reached, since the names are valid tokens.
  private static func known(_ name: String) -> Self { HTTPField.Name(name) ?? .from }
}
