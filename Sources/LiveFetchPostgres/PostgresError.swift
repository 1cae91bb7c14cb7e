#if PostgreSQL
  import CLibPQ
  public import Foundation
  import LiveStore

  /// An error that PostgreSQL, or the connection to it, reported.
  public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// The five characters by which PostgreSQL tells errors apart (`SQLSTATE`); nil where the connection is at fault.
    public let code: String?
    /// A sentence that says what went wrong.
    public let message: String
    /// The rest of what the server says: the row or key, or how to mend it.
    public let detail: String?
    /// Whether the connection is of no more use.
    public let isConnectionLost: Bool
    /// Whether the connection was lost while a commit was under way: it is not known whether what was written is there.
    public internal(set) var isOutcomeUnknown = false

    init(code: String? = nil, _ message: String, detail: String? = nil, isConnectionLost: Bool = false) {
      self.code = code
      self.message = message
      self.detail = detail
      self.isConnectionLost = isConnectionLost
    }

    /// The message with its code and detail.
    public var description: String {
      message + (code.map { " [\($0)]" } ?? "") + (detail.map { " (\($0))" } ?? "")
        + (isOutcomeUnknown ? " (it is not known whether the write was committed)" : "")
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
  }

  extension PostgresError {
    /// The error of a result.
    init(_ result: OpaquePointer?, on connection: OpaquePointer?) {
      let code = Self.field("C", of: result)
      // 57P01 to 57P03: the server ends the connection, or does not take any. 08…: the connection itself, but for 08P01, by which the server
      // refuses a statement with too few values.
      let isLost =
        PQstatus(connection) != CONNECTION_OK
        || code.map { $0.hasPrefix("08") && $0 != "08P01" || $0.hasPrefix("57P0") } ?? false
      let message = Self.field("M", of: result) ?? Self.text(PQerrorMessage(connection))
      var details = [Self.field("D", of: result), Self.field("H", of: result)].compactMap(\.self)
      if let cure = Self.cure(code, message) { details.append(cure) }
      self.init(
        code: code, message, detail: details.isEmpty ? nil : details.joined(separator: " "),
        isConnectionLost: isLost)
    }

    /// How to mend what is wrong with the schema of the store itself.
    private static func cure(_ code: String?, _ message: String) -> String? {
      switch code {
      case "42501" where message.contains("livelists") || isOfOwnTable(message):
        "let the role that has set up the schema “livelists” run “SELECT livelists.allow(…)” with the name of this role, and for a node "
          + "“SELECT livelists.allow(…, true)”"
      case "3F000" where message.contains("livelists"):
        "the schema was dropped: a node that is started anew, with a role that may make schemas, sets it up again"
      default: nil
      }
    }

    private static func isOfOwnTable(_ message: String) -> Bool {
      ["log", "watched", "horizon", "boot", "version"].contains { message.hasSuffix("for table \($0)") }
    }

    /// The error of a connection that could not be made or was lost.
    init(connection: OpaquePointer?) {
      self.init(Self.text(PQerrorMessage(connection)), isConnectionLost: true)
    }

    static func noTable(named name: String) -> Self {
      Self(
        code: "42P01",
        "There is no table “\(name)”: create it, or name it with its schema where that is not in the search path."
      )
    }

    private static func field(_ letter: Character, of result: OpaquePointer?) -> String? {
      guard let result, let ascii = letter.asciiValue, let text = PQresultErrorField(result, Int32(ascii))
      else {
        return nil
      }
      return String(cString: text)
    }

    private static func text(_ message: UnsafeMutablePointer<CChar>?) -> String {
      let text = message.map { String(cString: $0) } ?? ""
      let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
      return trimmed.isEmpty ? "The connection to PostgreSQL was lost." : trimmed
    }
  }

  extension Error {
    /// Whether the connection is of no more use after this error.
    var isConnectionLoss: Bool { (self as? PostgresError)?.isConnectionLost ?? false }

    /// The error of a read for lists: where the connection is lost they are interrupted, and catch up later.
    var ofList: any Error { isConnectionLoss ? FetchError.interrupted(self) : self }

    /// PostgreSQL's code of the error.
    var postgresCode: String? { (self as? PostgresError)?.code }
  }
#endif
