#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension WorkerProcess {
  /// Starts a program whose standard input is `input`, with nothing on its standard output.
  ///
  /// The child gets a process group of its own, so that Ctrl-C in the terminal stops the server first and the worker
  /// by its closed socket; the default action for signals, whatever this process ignores; and nothing of the
  /// environment, where secrets may stand, but the folders of shared libraries.
  static func spawn(
    _ executable: String, _ arguments: [String], input: CInt
  ) -> (pid: pid_t, failure: CInt) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)

    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = CInt(POSIX_SPAWN_SETSIGDEF) | CInt(POSIX_SPAWN_SETSIGMASK) | CInt(POSIX_SPAWN_SETPGROUP)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var strings: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) }
    strings.append(nil)
    defer { strings.forEach { free($0) } }
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    if let folders = getenv("LD_LIBRARY_PATH") {
      environment.insert(strdup("LD_LIBRARY_PATH=" + String(cString: folders)), at: 0)
    }
    defer { environment.forEach { free($0) } }
    var pid: pid_t = 0
    let failure = posix_spawn(&pid, executable, &actions, &attributes, strings, &environment)
    return (pid, failure)
  }
}
