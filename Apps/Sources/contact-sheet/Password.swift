import ArgumentParser
import ContactSheet
import Foundation

/// `contact-sheet password`.
struct Password: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Set the password that “serve” asks for.",
    discussion: """
      Once it is set, “serve” asks for it at every address, also on this machine. \
      Asks for it twice; where nobody sits at a terminal, the first line of standard input is taken. It is stored \
      hashed. A running server takes the new one at once, and everybody has to log in anew.
      """)

  @Flag(help: "Remove the password; whoever is logged in is logged out.")
  var remove = false

  @OptionGroup var data: DataOptions

  func run() async throws {
    if remove {
      try Access.removePassword(of: data.folder)
      Terminal.standardOutput.line("The password is removed.")
      return
    }
    let password =
      Terminal.standardInputIsInteractive ? try PasswordPrompt.askTwice() : readLine(strippingNewline: true)
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
  /// - Returns: Whether users have to log in.
  func prepare(_ folder: DataFolder, isLoopback: Bool, host: String) throws -> Bool {
    if withoutPassword {
      if Access.hasPassword(folder) || isBehindHTTPS || !isLoopback {
        Terminal.standardError.line(
          "Warning: no password is asked for (--without-password). Whoever reaches this server sees and changes all"
            + " photos.")
      }
      return false
    }
    if let given = try given() {
      try Access.ensurePassword(given, of: folder)
      return true
    }
    // One that is set is asked for wherever the server listens: who comes through another program comes from loopback.
    if Access.hasPassword(folder) { return true }
    guard withPassword || isBehindHTTPS || !isLoopback else { return false }
    guard Terminal.standardInputIsInteractive, Terminal.standardError.isInteractive else {
      throw ContactSheetError(
        .badRequest,
        "\(isBehindHTTPS ? "Behind https" : "At \(host)") everybody who can reach this machine could see and change all photos. Set a password with"
          + " “contact-sheet password”, --password-file or CONTACT_SHEET_PASSWORD; or say --without-password if"
          + " something before this server asks for one.")
    }
    Terminal.standardError.line("Whoever can reach this machine will need a password.")
    try Access.setPassword(try PasswordPrompt.askTwice(), of: folder)
    return true
  }

  private func given() throws -> String? {
    if let passwordFile {
      guard let file = FileHandle(forReadingAtPath: passwordFile),
        let data = try? file.read(upToCount: 64 << 10) ?? Data()
      else {
        throw ContactSheetError(.unreadable, "The password's file “\(passwordFile)” cannot be read.")
      }
      let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
      guard !line.isEmpty else {
        throw ContactSheetError(.badRequest, "The password's file “\(passwordFile)” is empty.")
      }
      return String(line)
    }
    return ProcessInfo.processInfo.environment["CONTACT_SHEET_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
