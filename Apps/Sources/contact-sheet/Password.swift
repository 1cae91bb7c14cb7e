import ArgumentParser
import ContactSheet
import ContactSheetLibrary
import Foundation
import Logging

/// `contact-sheet password`.
struct Password: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set the password that “serve” asks for.",
    discussion: """
      Once it is set, “serve” asks for it at every address, also on this machine. \
      Asks for it twice; where nobody sits at a terminal, the first line of standard input is taken. It is stored \
      hashed. A running server takes it at once, also the first one, and everybody has to log in (anew): streams and downloads that \
      are open end, and what was begun before is not stored. With “serve --without-password” none is asked for.
      """)

  @Flag(
    help: ArgumentHelp(
      "Remove the password. A running server that only this machine can reach asks for none from then on; one that others reach, or"
        + " that was started --with-password, lets nobody in until there is another."))
  var remove = false

  @OptionGroup var data: DataOptions

  func run() async throws {
    if remove {
      try Access.removePassword(of: data.folder)
      Terminal.standardOutput.line("The password is removed.")
      return
    }
    let password =
      Terminal.standardInputIsInteractive ? try PasswordPrompt.askTwice() : try PasswordText.readLine()
    guard let password else {
      throw ContactSheetError(.badRequest, "No password was given: standard input is empty.")
    }
    try Access.setPassword(password, of: data.folder)
    Terminal.standardOutput.line("The password is set.")
  }
}

/// Where a server's password comes from, and whether it has one.
struct PasswordOptions: ParsableArguments {
  @Flag(help: "Let everybody who can reach the address see and change all photos.")
  var withoutPassword = false

  @Flag(help: "Ask for a password on this machine, too, and for one to be set where there is none.")
  var withPassword = false

  @Option(
    help: ArgumentHelp(
      "Take the password from a file's first line. So does the variable CONTACT_SHEET_PASSWORD from itself.",
      valueName: "file"))
  var passwordFile: String?

  @Flag(
    name: .customLong("behind-https"),
    help: "Browsers come by https, through a program before this one: let cookies travel only so.")
  var isBehindHTTPS = false

  func validate() throws {
    if withoutPassword, withPassword || passwordFile != nil {
      throw ValidationError("--without-password and a password exclude each other.")
    }
  }

  /// Sees to it that there is a password where one is needed.
  ///
  /// - Returns: Who may use the server; `nil` where nobody is asked for a password, whether one is set or not.
  func access(to folder: DataFolder, isLoopback: Bool, host: String, logger: Logger) throws -> Access? {
    if withoutPassword {
      if Access.hasPassword(folder) || isBehindHTTPS || !isLoopback {
        Terminal.standardError.line(
          "Warning: no password is asked for (--without-password). Whoever reaches this server sees and changes all"
            + " photos.")
      }
      return nil
    }
    let given = try given()
    if let given { try Access.ensurePassword(given, of: folder) }
    let isNeeded = given != nil || withPassword || isBehindHTTPS || !isLoopback
    // One that is set is asked for wherever the server listens: who comes through another program comes from loopback.
    if isNeeded, !Access.hasPassword(folder) { try setPassword(of: folder, host: host) }
    return try Access(folder, isNeeded: isNeeded, logger: logger)
  }

  /// Asks for a password that is missing, and sets it.
  private func setPassword(of folder: DataFolder, host: String) throws {
    guard Terminal.standardInputIsInteractive, Terminal.standardError.isInteractive else {
      throw ContactSheetError(
        .badRequest,
        "\(isBehindHTTPS ? "Behind https" : "At \(host)") everybody who can reach this machine could see and change all photos. Set a password with"
          + " “contact-sheet password”, --password-file or CONTACT_SHEET_PASSWORD; or say --without-password if"
          + " something before this server asks for one.")
    }
    Terminal.standardError.line("Whoever can reach this machine will need a password.")
    try Access.setPassword(try PasswordPrompt.askTwice(), of: folder)
  }

  private func given() throws -> String? {
    if let passwordFile {
      guard let file = FileHandle(forReadingAtPath: passwordFile),
        let data = try? file.read(upToCount: PasswordText.maximumLength) ?? Data()
      else {
        throw ContactSheetError(.unreadable, "The password's file “\(passwordFile)” cannot be read.")
      }
      let line = try PasswordText.firstLine(of: data)
      guard !line.isEmpty else {
        throw ContactSheetError(.badRequest, "The password's file “\(passwordFile)” is empty.")
      }
      return line
    }
    return try PasswordText.variable("CONTACT_SHEET_PASSWORD")
  }
}
