import ExampleServer
import LiveLists

extension SQLiteStore {
  /// Copies the pictures of a folder and of those in it, and puts them behind the photos that are there, the oldest first. What has the
  /// name and the date of one that is there is passed over.
  /// - Returns: How many are new.
  func add(picturesOf folder: URL, copyingTo originals: URL) async throws -> Int {
    let found = try pictures(of: folder).sorted { ($0.date, $0.url.path) < ($1.date, $1.url.path) }
    try FileManager.default.createDirectory(at: originals, withIntermediateDirectories: true)
    return try await write { db in
      let new = try found.filter { picture in
        try Photo.filter(Column("name") == picture.name && Column("date") == picture.date).isEmpty(db)
      }
      let last = try Photo.order(Column("rank").desc).fetchOne(db)
      for (picture, rank) in zip(new, try Rank.between(last?.rank, nil, count: new.count)) {
        let photo = Photo(id: UUID(), name: picture.name, date: picture.date, type: picture.type, rank: rank)
        try Data(contentsOf: picture.url).write(to: originals.appendingPathComponent(photo.fileName))
        try photo.insert(db)
      }
      return new.count
    }.result
  }
}

private struct Picture: Sendable {
  var url: URL, date: Date, type: String
  var name: String { url.deletingPathExtension().lastPathComponent }
}

/// The files that browsers show as pictures. Links are not followed.
private func pictures(of folder: URL) throws -> [Picture] {
  let keys: Set<URLResourceKey> = [.isRegularFileKey, .contentModificationDateKey]
  guard (try? folder.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true,
    let files = FileManager.default.enumerator(
      at: folder, includingPropertiesForKeys: Array(keys), options: .skipsHiddenFiles)
  else { throw ExampleServer.Refusal("\(folder.path) is no folder.") }
  return files.compactMap { file in
    guard let url = file as? URL, let values = try? url.resourceValues(forKeys: keys),
      values.isRegularFile == true, let date = values.contentModificationDate,
      let start = try? FileHandle(forReadingFrom: url).read(upToCount: 16), let type = pictureType(start)
    else { return nil }
    return Picture(url: url, date: date, type: type)
  }
}

/// The type that a picture has by its first bytes: its name can say anything.
private func pictureType(_ start: Data) -> String? {
  func has(_ text: String, at offset: Int = 0) -> Bool {
    start.dropFirst(offset).starts(with: text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
  }
  if has("\u{FF}\u{D8}\u{FF}") { return "image/jpeg" }
  if has("\u{89}PNG\r\n") { return "image/png" }
  if has("GIF8") { return "image/gif" }
  if has("RIFF"), has("WEBP", at: 8) { return "image/webp" }
  if has("ftypavif", at: 4) { return "image/avif" }
  return has("BM") ? "image/bmp" : nil
}
