import ContactSheet
import ContactSheetLibrary

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Asks for a new password at the terminal, without showing it.
enum PasswordPrompt {
  static func askTwice() throws -> String {
    let first = try ask("New password: ")
    let second = try ask("Once more: ")
    guard first == second else {
      throw ContactSheetError(.badRequest, "The two are not the same. Nothing was changed.")
    }
    return first
  }

  private static func ask(_ question: String) throws -> String {
    var shown = termios()
    let isTerminal = tcgetattr(STDIN_FILENO, &shown) == 0
    if isTerminal {
      var hidden = shown
      hidden.c_lflag &= ~tcflag_t(ECHO)
      // Before the question: what is typed after it must neither be seen nor be thrown away.
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
    }
    Terminal.standardError.write(question)
    defer {
      if isTerminal { tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown) }
      Terminal.standardError.write("\n")
    }
    guard let line = try PasswordText.readLine() else {
      throw ContactSheetError(.badRequest, "No password was given.")
    }
    return line
  }
}
