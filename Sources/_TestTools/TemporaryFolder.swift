public import Foundation

/// A folder of a test's own, which is removed with the last reference to it.
///
/// A process removes its folders at its end, also at an exit in the middle of a test. Those of a process that was killed
/// are removed by the next one that makes a folder.
///
/// ```swift
/// let folder = try TemporaryFolder()
/// let store = try SQLiteStore(path: folder.path + "/test.sqlite")
/// ```
public final class TemporaryFolder: Sendable {
  /// The path of the folder, which is empty at first.
  public let path: String

  /// The address of the folder.
  public var url: URL { URL(fileURLWithPath: path, isDirectory: true) }

  /// Creates an empty folder in the system's temporary folder.
  ///
  /// - Throws: An error of the file system where it cannot be created.
  /// - Complexity: The first call of a process looks through the system's temporary folder.
  public init() throws {
    path = try ProcessFolder.current.get().path + "/" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The folder that has all folders of one process. The process holds a lock on a file in it for as long as it runs.
struct ProcessFolder: Sendable {
  let path: String

  /// The folder of this process.
  static let current: Result<ProcessFolder, any Error> = Result {
    let root = NSTemporaryDirectory()
    removeAbandoned(in: root)
    let folder = try ProcessFolder(in: root)
    atexit { try? FileManager.default.removeItem(atPath: (try? ProcessFolder.current.get().path) ?? "") }
    return folder
  }

  private static let prefix = "livelists-tests-"

  /// Creates a folder. It gets its name when it is locked, so that nobody takes it for an abandoned one before.
  init(in root: String) throws {
    let name = Self.prefix + UUID().uuidString
    let unlocked = root + "/." + name
    try FileManager.default.createDirectory(atPath: unlocked, withIntermediateDirectories: false)
    guard Self.lock(unlocked + "/lock", O_CREAT) != nil else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: unlocked])
    }
    path = root + "/" + name
    try FileManager.default.moveItem(atPath: unlocked, toPath: path)
  }

  /// Removes the folders of processes that have ended.
  static func removeAbandoned(in root: String) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    for name in names where name.hasPrefix(prefix) {
      let path = root + "/" + name
      guard let descriptor = lock(path + "/lock", 0) else { continue }
      try? FileManager.default.removeItem(atPath: path)
      close(descriptor)
    }
  }

  /// Locks a file.
  ///
  /// - Returns: Its descriptor, which holds the lock until it is closed; `nil` where another process has the lock.
  private static func lock(_ path: String, _ flags: CInt) -> CInt? {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    close(descriptor)
    return nil
  }
}
