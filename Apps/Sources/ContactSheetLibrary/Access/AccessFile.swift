import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of the data folder with the password's hash and the sessions. Only the owner can read these files.
struct AccessFile: Sendable {
  /// The password, and a key to recognise browsers by.
  struct Credentials: Sendable, Hashable, Codable {
    var password: String
    var deviceKey: String
  }

  /// Who is logged in, by the hash of the cookie's token: the file lets nobody in.
  struct Sessions: Sendable, Hashable, Codable {
    /// The hash of the password that they logged in with.
    var password: String
    /// When each ends, in seconds since 1970.
    var ends: [String: Int64]
  }

  let folder: DataFolder

  /// The password's file has some 300 bytes.
  private static let credentialsCapacity = 64 << 10

  /// The password; `nil` where there is no file of it.
  ///
  /// - Throws: `ContactSheetError.Code.storage` where something has its name and is no password: it never counts as none.
  func credentials() throws(ContactSheetError) -> Credentials? {
    let data: Data
    do throws(SystemError) {
      data = try Files.ownContents(folder.credentials, upTo: Self.credentialsCapacity)
    } catch {
      // Whatever has the name was put there by somebody who wants a password; a link may lead nowhere.
      guard Files.isTaken(folder.credentials) || error.number != ENOENT else { return nil }
      throw ContactSheetError(
        .storage,
        "“\(folder.credentials)” is damaged: \(error.reason). Take it away, and set the password again with"
          + " “contact-sheet password”.", cause: "\(error.call): \(error.reason)")
    }
    guard
      let credentials = try? JSONDecoder().decode(Credentials.self, from: data),
      PasswordHash(credentials.password) != nil
    else {
      throw ContactSheetError(
        .storage,
        "“\(folder.credentials)” is damaged. Set the password again with “contact-sheet password”.")
    }
    return credentials
  }

  func write(_ credentials: Credentials) throws(ContactSheetError) {
    try write(try? JSONEncoder().encode(credentials), to: folder.credentials)
  }

  func sessions() -> Sessions? {
    (try? Files.ownContents(folder.sessions))
      .flatMap { try? JSONDecoder().decode(Sessions.self, from: $0) }
  }

  func write(_ sessions: Sessions) throws(ContactSheetError) {
    try write(try? JSONEncoder().encode(sessions), to: folder.sessions)
  }

  func remove() throws(ContactSheetError) {
    for path in [folder.credentials, folder.sessions] {
      do throws(SystemError) { try Files.remove(path) } catch { throw .writing(path, error) }
    }
  }

  private func write(_ data: Data?, to path: String) throws(ContactSheetError) {
    guard let data else { throw ContactSheetError(.internal, "“\(path)” could not be encoded.") }
    do throws(SystemError) { try Files.writePrivately(Array(data), to: path) } catch {
      throw .writing(path, error)
    }
  }

  /// Returns the name of a password's hash in the file of sessions.
  static func fingerprint(_ password: String) -> String {
    ContentHash(digest: SHA256.hash(Array(password.utf8))).text
  }
}
