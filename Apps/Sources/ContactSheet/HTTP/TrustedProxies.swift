import ContactSheetLibrary
import Foundation
import HTTPTypes

/// The proxies before the server whose `X-Forwarded-For` is believed.
struct TrustedProxies: Sendable {
  /// Their addresses.
  var addresses: Set<String> = []

  /// Returns whether connections from an address are those of many people, or of this machine's own: they are not
  /// counted.
  func speaksForOthers(_ address: String) -> Bool {
    addresses.contains(address) || TrustedProxies.thisMachine.contains(address)
  }

  /// The addresses of this machine, in the form that `WebContext` gives them.
  static let thisMachine: Set<String> = ["127.0.0.1", "0:0:0:0::/64", "::1"]

  /// Returns the address that a request comes from: the last forwarded address that is not a trusted proxy's, or the
  /// connection's own where no trusted proxy stands between.
  ///
  /// - Parameter connection: The address of the connection.
  func client(of headers: HTTPFields, connection: String) -> String {
    guard addresses.contains(connection) else { return connection }
    let hops = headers[values: .xForwardedFor].flatMap { $0.parts(between: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    // From the right: what stands further left was written by whoever sent the request.
    for hop in hops.reversed() {
      guard let address = WebContext.name(ofText: hop) else { return connection }
      if !addresses.contains(address) { return address }
    }
    return connection
  }
}
