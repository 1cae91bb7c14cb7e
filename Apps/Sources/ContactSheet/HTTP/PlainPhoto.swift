import ContactSheetLibrary
import Foundation
import GRDB

/// The page of one photo for browsers that run no scripts: its picture, and links to its neighbours and its album.
struct PlainPhoto: Sendable {
  var album: Album
  var photo: Photo
  /// The photo's position in its album, from 1.
  var position: Int
  var previous: Photo.ID?
  var next: Photo.ID?

  /// The HTML, of a server at a path. Everything that a user wrote is escaped.
  func markup(at path: ServerPath) -> String {
    let title = WebAssets.escaped(photo.title)
    let own = "\(path.text)/albums/\(album.id.wireText)"
    let window = (position - 1) / PlainPage.window + 1
    return """
      <section class="plain" id="plain">
      <nav aria-label="Photos">\(link(previous, in: own, rel: "prev", "Before"))
      <a href="\(own)?page=\(window)#plain">All photos</a>
      \(link(next, in: own, rel: "next", "Next"))</nav>
      <figure><a href="\(path.text)/originals/\(photo.contentHash)"><img src="\(path.text)/previews/\(photo.contentHash)" \
      alt="\(title)" width="\(photo.width)" height="\(photo.height)"></a>
      <figcaption dir="auto">\(title)</figcaption></figure>
      <p>\(position) of \(album.photoCount)</p>
      </section>
      """
  }

  private func link(_ id: Photo.ID?, in own: String, rel: String, _ text: String) -> String {
    guard let id else { return "" }
    return #"<a rel="\#(rel)" href="\#(own)/photos/\#(id.wireText)">\#(text)</a>"#
  }
}

extension PhotoLibrary {
  /// A photo that is shown in an album, with what its page says of it; `nil` where there is none.
  ///
  /// - Complexity: O(photos before it), in an index.
  func plainPhoto(_ id: Photo.ID, in albumID: Album.ID) async throws -> PlainPhoto? {
    try await records.read { db in
      let shown = "FROM photo WHERE albumID = ? AND trashedDate IS NULL"
      guard let album = try Self.album(albumID, db),
        let photo = try Photo.fetchOne(db, sql: "SELECT * \(shown) AND id = ?", arguments: [albumID, id])
      else { return nil }
      let arguments: StatementArguments = [albumID, photo.rank, photo.id]
      let before = "\(shown) AND (rank, id) < (?, ?)"
      let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) \(before)", arguments: arguments) ?? 0
      let previous = try UUID.fetchOne(
        db, sql: "SELECT id \(before) ORDER BY rank DESC, id DESC LIMIT 1", arguments: arguments)
      let next = try UUID.fetchOne(
        db, sql: "SELECT id \(shown) AND (rank, id) > (?, ?) ORDER BY rank, id LIMIT 1",
        arguments: arguments)
      return PlainPhoto(album: album, photo: photo, position: count + 1, previous: previous, next: next)
    }
  }
}
