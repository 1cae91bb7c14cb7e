import Foundation
import HTTPTypes

/// The programs before the server that are believed when they say whom they speak for.
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

  /// The address that a request comes from: what the last proxy that is not ours was seen to be, and the connection's own address
  /// where no proxy of ours stands between.
  ///
  /// - Parameter connection: The address of the connection.
  func client(of headers: HTTPFields, connection: String) -> String {
    guard addresses.contains(connection) else { return connection }
    let hops = headers[values: .xForwardedFor].flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    // From the right: what stands further left was written by whoever sent the request.
    for hop in hops.reversed() {
      guard let address = WebContext.name(ofText: hop) else { return connection }
      if !addresses.contains(address) { return address }
    }
    return connection
  }
}
