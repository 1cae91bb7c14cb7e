import ContactSheetLibrary
import Foundation
import GRDB
import Hummingbird

/// The page of an album for browsers that run no scripts: a window of its photos, and forms.
struct PlainPage: Sendable {
  /// How many photos a page shows.
  static let window = 60

  /// A message of the page about the last action.
  struct Notice: Sendable {
    var text: String
    /// The mutation that can be taken back.
    var mutationID: UUID?
  }

  /// The server's path, with which all addresses begin.
  var path: ServerPath
  var albums: [Album]
  var album: Album
  /// The photos of the window.
  var photos: [Photo]
  /// Which window it is, from 1.
  var number: Int
  var notice: Notice?
  /// Whether there is a password, and so a way out.
  var hasLogout: Bool

  static func count(of album: Album) -> Int {
    // A damaged database may say any number.
    let photos = min(max(0, album.photoCount), 1 << 40)
    return max(1, (photos + window - 1) / window)
  }

  /// The HTML. Everything that a user wrote is escaped.
  var markup: String {
    """
    <section class="plain" id="plain">
    \(noticeMarkup)<nav aria-label="Albums"><ul>\(albums.map(link).joined())</ul></nav>
    \(photos.isEmpty ? "<p>There are no photos in this album yet.</p>" : form)
    \(pager)<p><a href="\(path.text)/api/albums/\(album.id.wireText)/export">Export this album</a></p>
    <p><a href="\(path.text)/trash">Trash</a></p>
    \(hasLogout ? #"<form method="post" action="\#(path.text)/logout"><button>Log out</button></form>"# : "")
    </section>
    """
  }

  private var action: String { "\(path.text)/albums/\(album.id.wireText)" }

  private var noticeMarkup: String {
    guard let notice else { return "" }
    let undo = notice.mutationID.map {
      """
      <form method="post" action="\(action)">\(hidden)<input type="hidden" name="undoes" value="\($0.wireText)">\
      <button name="do" value="undo">Undo</button></form>
      """
    }
    return #"<div class="notice"><p role="status">\#(WebAssets.escaped(notice.text))</p>\#(undo ?? "")</div>"#
      + "\n"
  }

  private func link(_ other: Album) -> String {
    let current = other.id == album.id ? #" aria-current="page""# : ""
    return
      #"<li><a dir="auto" href="\#(path.text)/albums/\#(other.id.wireText)"\#(current)>\#(WebAssets.escaped(other.title))</a>"#
      + " (\(other.photoCount))</li>"
  }

  /// A new mutation for each page: a form that is sent twice is performed once.
  private var hidden: String {
    #"<input type="hidden" name="act" value="\#(UUID().wireText)">"#
      + #"<input type="hidden" name="page" value="\#(number)">"#
  }

  private var form: String {
    """
    <form method="post" action="\(action)">\(hidden)
    <ol start="\((number - 1) * Self.window + 1)">\(photos.map(item).joined())</ol>
    <div class="plain-actions">
    <button name="do" value="delete">Delete</button>
    <button name="do" value="start">Move to the start</button>
    <button name="do" value="end">Move to the end</button>
    <label>Position <input name="position" type="number" min="1" max="\(album.photoCount)" value="1"></label>
    <button name="do" value="place">Move there</button>
    </div>
    </form>
    """
  }

  private func item(_ photo: Photo) -> String {
    let title = WebAssets.escaped(photo.title)
    let color = (photo.color ?? AverageColor(rgb: 0x8A8A8A)).css
    return """
      <li><label><img src="\(path.text)/thumbnails/\(photo.contentHash)" alt="" width="\(photo.width)" \
      height="\(photo.height)" loading="lazy" style="background:\(color)">\
      <span dir="auto"><input type="checkbox" name="ids" value="\(photo.id.wireText)"> \(title)</span></label>\
      <a href="\(action)/photos/\(photo.id.wireText)" aria-label="Open \(title)">Open</a></li>
      """
  }

  private var pager: String {
    let count = Self.count(of: album)
    guard count > 1 else { return "" }
    let before = number > 1 ? #"<a rel="prev" href="\#(action)?page=\#(number - 1)">Before</a> "# : ""
    let after = number < count ? #" <a rel="next" href="\#(action)?page=\#(number + 1)">Next</a>"# : ""
    return #"<nav aria-label="Pages">\#(before)Page \#(number) of \#(count)\#(after)</nav>"# + "\n"
  }
}

extension PhotoLibrary {
  /// A window of an album's photos.
  ///
  /// - Complexity: O(offset + count) rows of an index.
  func photos(in albumID: Album.ID, from offset: Int, count: Int) async throws -> [Photo] {
    try await records.read { db in
      try Photo.fetchAll(
        db,
        sql: """
          SELECT * FROM photo WHERE albumID = ? AND trashedDate IS NULL ORDER BY rank, id LIMIT ? OFFSET ?
          """, arguments: [albumID, count, offset])
    }
  }

  /// The gap in front of the photo that has a position once some photos are taken out; from 1. Positions beyond the ends
  /// are the ends.
  func gap(at position: Int, without moving: Set<UUID>, in albumID: Album.ID) async throws -> DropPosition {
    try await records.read { db in
      let rest = try UUID.fetchAll(
        db, sql: "SELECT id FROM photo WHERE albumID = ? AND trashedDate IS NULL ORDER BY rank, id",
        arguments: [albumID]
      ).filter { !moving.contains($0) }
      let gap = min(max(1, position) - 1, rest.count)
      return DropPosition(after: gap > 0 ? rest[gap - 1] : nil, before: gap < rest.count ? rest[gap] : nil)
    }
  }
}
