import CVipsShim

/// The contents of a folder and of the folders in it, by paths relative to it.
///
/// Foundation's enumerator loses files whose names begin with a combining mark: it takes the slash before for part of it.
struct FolderTree: Sendable {
  /// The files, and the links to files.
  private(set) var files: [String] = []
  /// The links to folders, which are not followed.
  private(set) var folderLinks: [String] = []
  /// The folders that cannot be listed. What is in them is not known.
  private(set) var closedFolders: [String] = []
  /// What is neither a file nor a folder, or cannot be reached: links that lead nowhere, pipes, devices, and everything in a folder
  /// that may be listed and not be entered.
  private(set) var unreachable: [String] = []
  /// The names that are not UTF-8, with U+FFFD in place of what is none: no path leads to them.
  private(set) var unreadableNames: [String] = []

  init(_ path: String) {
    var folders = [""]
    while let folder = folders.popLast() {
      guard let stream = Files.openFolder("\(path)/\(folder)") else {
        closedFolders.append(String(folder.dropLast()))
        continue
      }
      for name in Files.names(in: stream) {
        let relative = "\(folder)\(name)"
        let full = "\(path)/\(relative)"
        if cs_is_folder(full) != 0 {
          folders.append(relative + "/")
        } else if Files.size(full) != nil {
          files.append(relative)
        } else if cs_is_link_to_folder(full) != 0 {
          folderLinks.append(relative)
        } else if name.unicodeScalars.contains("\u{FFFD}") {
          unreadableNames.append(relative)
        } else {
          unreachable.append(relative)
        }
      }
    }
    folderLinks.sort()
    closedFolders.sort()
    unreachable.sort()
    unreadableNames.sort()
  }
}
