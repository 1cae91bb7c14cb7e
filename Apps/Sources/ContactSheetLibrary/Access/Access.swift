import Foundation
package import Logging
import Synchronization

/// Who may use the server: whoever knows the password, for as long as they stay logged in.
///
/// The password may be set, changed or removed by another process while the server runs: the file is looked at with each
/// request, and everybody has to log in anew. Where none is needed, whoever reaches the server is in as long as none is set.
package final class Access: Sendable {
  /// How a try to log in ended.
  package enum Login: Sendable {
    /// It was the password: the new session's token, and the name of the browser.
    case accepted(token: String, device: String)
    /// It was not.
    case wrong
    /// It was not looked at, since too many before it failed; another may be made after that wait.
    case tooEarly(LoginThrottle.Delay)
    /// It was not looked at, since very many others try to log in at the same time.
    case crowded
  }

  /// The validity of a token.
  package enum Standing: Sendable, Hashable {
    case none
    case valid
    /// Valid, and for a full term from now on: the cookie should be sent again.
    case renewed
    /// Nobody is asked for a password: none is set, and none is needed.
    case open
  }

  private struct State {
    var stamp: FileStamp?
    var credentials: AccessFile.Credentials?
    /// A Boolean value that indicates whether everybody is let in.
    var isOpen = false
    /// When each session ends, by the hash of its token.
    var ends: [String: Int64] = [:]
    var throttle = LoginThrottle()
  }

  /// How long a browser stays logged in after its last visit.
  package static let term = 30 * 86_400
  private static let day: Int64 = 86_400
  private static let maximumSessions = 1000

  private let file: AccessFile
  private let folder: DataFolder
  /// The data folder as it was at the start: where another one has its name, no password in that one is no removed one.
  private let home: OpenFolder
  private let isNeeded: Bool
  private let state: Mutex<State>
  private let saving = Mutex(())
  let turns = LoginTurns()
  private let localToken = SecretBytes.encoded(SecretBytes.random(32))
  private let logger: Logger
  private let now: @Sendable () -> Date
  private let elapsed: @Sendable () -> Duration

  /// Reads who may use the server of a folder.
  ///
  /// - Parameters:
  ///   - folder: The data folder.
  ///   - isNeeded: Whether nobody is let in where there is no password. If not, everybody is until one is set.
  ///   - logger: Where wrong passwords are noted.
  /// - Throws: `ContactSheetError.Code.notFound` where a password is needed and none is set.
  package convenience init(
    _ folder: DataFolder, isNeeded: Bool = true, logger: Logger
  ) throws(ContactSheetError) {
    let started = ContinuousClock.now
    try self.init(
      folder, isNeeded: isNeeded, logger: logger, now: { Date() },
      elapsed: { ContinuousClock.now - started })
  }

  init(
    _ folder: DataFolder, isNeeded: Bool = true, logger: Logger,
    now: @escaping @Sendable () -> Date = { Date() },
    elapsed: @escaping @Sendable () -> Duration
  ) throws(ContactSheetError) {
    self.folder = folder
    self.isNeeded = isNeeded
    self.logger = logger
    home = OpenFolder(folder.path)
    self.now = now
    self.elapsed = elapsed
    file = AccessFile(folder: folder)
    // The stamp first: a file that changes meanwhile is read again.
    let stamp = Files.stamp(folder.credentials)
    let credentials = try file.credentials()
    guard credentials != nil || !isNeeded else {
      throw ContactSheetError(.notFound, "No password is set. Set one with “contact-sheet password”.")
    }
    var state = State(stamp: stamp, credentials: credentials, isOpen: credentials == nil)
    if let credentials, let sessions = file.sessions(),
      sessions.password == AccessFile.fingerprint(credentials.password)
    {
      state.ends = sessions.ends
    }
    self.state = Mutex(state)
  }

  // MARK: The password

  /// Whether a folder has a password, also one that is damaged: whatever has the name of its file counts.
  package static func hasPassword(_ folder: DataFolder) -> Bool { Files.isTaken(folder.credentials) }

  /// Sets the password of a folder, also while its server runs. Whoever is logged in has to log in anew.
  ///
  /// - Throws: `ContactSheetError.Code.badRequest` where it is too short.
  package static func setPassword(_ password: String, of folder: DataFolder) throws {
    let credentials = AccessFile.Credentials(
      password: try PasswordHash(of: password).text, deviceKey: SecretBytes.encoded(SecretBytes.random(32)))
    try folder.prepare()
    try AccessFile(folder: folder).write(credentials)
  }

  /// Sets the password unless it is this one already; then whoever is logged in stays so.
  package static func ensurePassword(_ password: String, of folder: DataFolder) throws {
    if let known = try AccessFile(folder: folder).credentials().flatMap({ PasswordHash($0.password) }),
      try known.matches(password)
    {
      return
    }
    try setPassword(password, of: folder)
  }

  /// Removes the password of a folder. A running server that needs one lets nobody in until there is another; others ask
  /// nobody any more.
  package static func removePassword(of folder: DataFolder) throws {
    if Files.size(folder.database) != nil { OwnersAlone.close(folder) }
    try AccessFile(folder: folder).remove()
  }

  // MARK: Sessions

  /// A Boolean value that indicates whether people have to log in at this moment.
  package var asksForPassword: Bool { standing(of: nil) != .open }

  /// Returns the standing of a session's token at this moment, or of somebody who has none.
  package func standing(of token: String?) -> Standing {
    let moment = Int64(now().timeIntervalSince1970)
    let name = token.map { Self.name(of: $0) }
    let standing: Standing = state.withLock { state in
      look(&state)
      if state.isOpen { return .open }
      guard let name, state.credentials != nil, let end = state.ends[name] else { return .none }
      guard moment < end else {
        state.ends[name] = nil
        return .none
      }
      guard end - moment < Int64(Self.term) - Self.day else { return .valid }
      state.ends[name] = moment + Int64(Self.term)
      return .renewed
    }
    if standing == .renewed { save() }
    return standing
  }

  /// Whether a token is the one that commands on this machine use.
  package func isLocal(_ token: String) -> Bool { SecretBytes.areEqual(token.utf8, localToken.utf8) }

  /// Tries a password.
  ///
  /// - Parameters:
  ///   - password: What the user typed.
  ///   - address: Where the user is.
  ///   - device: What an earlier login called this browser.
  package func logIn(_ password: String, from address: String, device: String?) async throws -> Login {
    let known = device.flatMap { isKnown($0) ? $0 : nil }
    let clients = known.map { [LoginThrottle.Client.device($0)] } ?? LoginThrottle.networks(of: address)
    let (rank, delay) = state.withLock { state in
      look(&state)
      let rank = known == nil ? state.throttle.rank(clients, now: elapsed()) : LoginTurns.known
      return (rank, state.throttle.begin(clients, now: elapsed()))
    }
    if let delay { return .tooEarly(delay) }
    let stored = state.withLock { $0.credentials?.password }
    guard let stored, let hash = PasswordHash(stored) else { return .wrong }
    var isLookedAt = false
    defer { if !isLookedAt { state.withLock { $0.throttle.withdrawn(clients) } } }
    guard
      let isRight = try await turns.pass(
        rank: rank, { try await blocking { try hash.matches(password) } })
    else { return .crowded }
    isLookedAt = true
    guard isRight else {
      state.withLock { $0.throttle.failed(clients, now: elapsed()) }
      logger.warning("A wrong password was given", metadata: ["address": "\(address)"])
      return .wrong
    }
    let token = SecretBytes.encoded(SecretBytes.random(32))
    let name: String? = state.withLock { state in
      state.throttle.succeeded(clients)
      // The password may have been changed while this one was looked at.
      guard let credentials = state.credentials, credentials.password == stored else { return nil }
      let moment = Int64(now().timeIntervalSince1970)
      state.ends = state.ends.filter { $0.value > moment }
      if state.ends.count >= Self.maximumSessions, let oldest = state.ends.min(by: { $0.value < $1.value }) {
        state.ends[oldest.key] = nil
      }
      state.ends[Self.name(of: token)] = moment + Int64(Self.term)
      return known ?? Self.makeDevice(credentials.deviceKey)
    }
    guard let name else { return .wrong }
    save()
    return .accepted(token: token, device: name)
  }

  /// Ends a session.
  package func logOut(_ token: String) {
    state.withLock { $0.ends[Self.name(of: token)] = nil }
    save()
  }

  // MARK: Commands on this machine

  /// Leaves a token in the folder with which commands of the same user reach the server.
  package func admitCommands() throws(ContactSheetError) {
    do throws(SystemError) {
      try Files.writePrivately(Array(localToken.utf8), to: folder.token)
    } catch {
      throw .writing(folder.token, error)
    }
  }

  /// Takes the token away.
  package func dismissCommands() { try? Files.remove(folder.token) }

  // MARK: Details

  /// Reads the file again where it is not the one that was read.
  private func look(_ state: inout State) {
    let stamp = Files.stamp(folder.credentials)
    guard stamp != state.stamp else { return }
    state.stamp = stamp
    let credentials: AccessFile.Credentials?
    do {
      credentials = try file.credentials()
      state.isOpen = credentials == nil && !isNeeded && home.isInPlace
    } catch {
      // A damaged file lets nobody in.
      logger.error("The password cannot be read", metadata: ["error": "\(error)"])
      credentials = nil
      state.isOpen = false
    }
    if credentials?.password != state.credentials?.password { state.ends = [:] }
    state.credentials = credentials
  }

  /// Writes who is logged in, one after the other and each time the newest. A disk that is full does not keep
  /// anybody out: the session lasts until the server ends.
  private func save() {
    saving.withLock { _ in
      let sessions = state.withLock { state in
        state.credentials.map {
          AccessFile.Sessions(password: AccessFile.fingerprint($0.password), ends: state.ends)
        }
      }
      guard let sessions else { return }
      do {
        try file.write(sessions)
      } catch {
        logger.warning("Who is logged in could not be saved", metadata: ["error": "\(error)"])
      }
    }
  }

  private static func name(of token: String) -> String {
    ContentHash(digest: SHA256.hash(Array(token.utf8))).text
  }

  /// A name for a browser that nobody else can make: a random part, and its code under the folder's key.
  private static func makeDevice(_ key: String) -> String {
    let part = SecretBytes.encoded(SecretBytes.random(16))
    return "\(part).\(code(part, key))"
  }

  private func isKnown(_ device: String) -> Bool {
    guard let key = state.withLock({ $0.credentials?.deviceKey }) else { return false }
    let parts = device.parts(between: ".", omittingEmpty: false).map(String.init)
    return parts.count == 2 && SecretBytes.areEqual(Self.code(parts[0], key).utf8, parts[1].utf8)
  }

  private static func code(_ text: String, _ key: String) -> String {
    SecretBytes.encoded(SHA256.code(of: Array(text.utf8), key: Array(key.utf8)))
  }
}
