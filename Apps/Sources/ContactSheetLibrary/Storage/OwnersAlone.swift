import CVipsShim
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Keeps a data folder from everybody but its owner: 0700 for folders, 0600 for files.
///
/// Nobody else gets past a folder of 0700, so the photos are looked at only once: when the folder itself was still open
/// to others. Databases, which older versions made so that others could read them, and files of secrets are looked at each
/// time. A folder that belongs to another user keeps the rights that it has.
package enum OwnersAlone {
  package static func close(_ folder: DataFolder) {
    let mode = cs_file_mode(folder.path)
    // One that is sticky, as /tmp, is shared on purpose, whoever named it; what is made in it is the owner's all the same.
    let wasOpen = mode >= 0 && mode & 0o077 != 0 && mode & 0o1000 == 0
    guard mode >= 0, !wasOpen || chmod(folder.path, 0o700) == 0 else { return }
    let databases = Files.names(in: folder.path).map { "\(folder.path)/\($0)" }
    for path in databases where wasOpen || path.beginsExactly(with: folder.database) { closeOne(path) }
    for path in folder.files { closeOne(path) }
    guard wasOpen else { return }
    // The target of a link is not ours to close.
    for part in folder.parts where cs_is_folder(part) != 0 {
      _ = chmod(part, 0o700)
      for path in FileManager.default.subpaths(atPath: part) ?? [] { closeOne("\(part)/\(path)") }
    }
  }

  private static func closeOne(_ path: String) {
    let mode = cs_file_mode(path)
    // Of a file the bits that let others read, write or run it go; its owner's stay.
    guard mode >= 0, mode & 0o077 != 0 else { return }
    // A file that has other names, too, as in a copy by hard links, is not this folder's alone to close.
    guard cs_is_folder(path) != 0 || cs_name_count(path) == 1 else { return }
    _ = chmod(path, mode_t(mode & 0o700))
  }
}
