#if os(Linux)
  import Foundation

  /// A user who is neither root nor whoever runs the tests. Only root can be somebody else.
  enum OtherUser {
    static let number: uid_t = 65_534
    static let isAvailable = getuid() == 0

    /// Starts a program as that user.
    static func run(_ program: String, _ arguments: [String]) throws -> Run {
      let user = ["--reuid=\(number)", "--regid=\(number)", "--clear-groups"]
      return try Run(user + [program] + arguments, program: "/usr/bin/setpriv")
    }

    /// Has everybody reach what a folder of a test holds, where the rights of that allow it.
    static func open(_ folder: TestFolder) {
      chmod(folder.path, 0o755)
      chmod((folder.path as NSString).deletingLastPathComponent, 0o755)
    }
  }
#endif
