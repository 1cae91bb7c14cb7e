import CVipsShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The content of a folder and the folders in it, by paths relative to it. Nothing that it lists is left out.
///
/// Foundation's enumerator loses files whose names begin with a combining mark: it takes the slash before for part of it.
struct FolderTree {
  /// The regular files, and the links to such.
  private(set) var files: [String] = []
  /// The links to folders, which are not followed.
  private(set) var links: [String] = []
  /// The folders that could not be listed, or not to their ends.
  private(set) var unlisted: [(path: String, error: SystemError)] = []
  /// The others: links to nothing, pipes, devices, and what may not be looked at.
  private(set) var others: [(path: String, error: SystemError)] = []

  /// Lists a folder.
  init(_ path: String) {
    var folders = [""]
    while let folder = folders.popLast() {
      let full = folder.isEmpty ? path : "\(path)/\(folder)"
      guard let stream = PathBytes.with(full, { opendir($0) }) else {
        unlisted.append((folder, .last("opendir")))
        continue
      }
      // Where names can be read and nothing else, one sentence says it of all.
      guard PathBytes.with(full, { access($0, X_OK) }) == 0 else {
        unlisted.append((folder, .last("access")))
        closedir(stream)
        continue
      }
      let failure = Files.list(stream) { name in
        let relative = folder.isEmpty ? name : "\(folder)/\(name)"
        let kind = PathBytes.with("\(path)/\(relative)", cs_kind)
        switch kind {
        case 0: files.append(relative)
        case 1: folders.append(relative)
        case 2: links.append(relative)
        default: others.append((relative, kind < 0 ? SystemError(number: -kind, call: "stat") : .notRegular))
        }
      }
      if failure != 0 { unlisted.append((folder, SystemError(number: failure, call: "readdir"))) }
    }
    links.sort()
    unlisted.sort { $0.path < $1.path }
    others.sort { $0.path < $1.path }
  }
}

extension Files {
  /// Returns the paths of all files in a folder and the folders in it, relative to it; links to folders are not followed.
  static func tree(_ path: String) -> [String] { FolderTree(path).files }
}
