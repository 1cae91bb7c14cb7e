import ContactSheetLibrary
import Foundation
import GRDB

/// The page of the trash for browsers that run no scripts: the photos that were deleted last, and a form that brings them back.
struct PlainTrash: Sendable {
  /// The server's path, with which all addresses begin.
  var path: ServerPath
  var summary: TrashSummary
  var photos: [Photo]
  var notice: PlainPage.Notice?

  /// The HTML. Everything that a user wrote is escaped.
  var markup: String {
    let notice = notice.map { #"<p role="status">\#(WebAssets.escaped($0.text))</p>"# } ?? ""
    return """
      <section class="plain" id="plain">
      \(notice)<p><a href="\(path.text)/albums">Albums</a></p>
      \(photos.isEmpty ? "<p>The trash is empty.</p>" : form)
      </section>
      """
  }

  private var form: String {
    """
    <form method="post" action="\(path.text)/trash"><input type="hidden" name="act" value="\(UUID().wireText)">
    <p>The \(photos.count) of \(summary.count) that were deleted last</p>
    <ol>\(photos.map(item).joined())</ol>
    <div class="plain-actions"><button name="do" value="restore">Restore</button></div>
    </form>
    """
  }

  private func item(_ photo: Photo) -> String {
    """
    <li><label><img src="\(path.text)/thumbnails/\(photo.contentHash)" alt="" width="\(photo.width)" \
    height="\(photo.height)" loading="lazy"><span dir="auto">\
    <input type="checkbox" name="ids" value="\(photo.id.wireText)"> \(WebAssets.escaped(photo.title))</span></label></li>
    """
  }
}

extension PhotoLibrary {
  /// The photos of the trash that were deleted last.
  func newestInTrash(_ count: Int) async throws -> [Photo] {
    try await records.read { db in
      try Photo.fetchAll(
        db, sql: "SELECT * FROM photo WHERE trashedDate IS NOT NULL ORDER BY trashedDate DESC, id LIMIT ?",
        arguments: [count])
    }
  }

  /// The position of a photo in the list of the trash, from 1; `nil` where it is not there.
  ///
  /// - Complexity: O(photos before it), in an index.
  func positionInTrash(of id: Photo.ID) async throws -> Int? {
    try await records.read { db in
      let date = try Timestamp.fetchOne(
        db, sql: "SELECT trashedDate FROM photo WHERE id = ? AND trashedDate IS NOT NULL", arguments: [id])
      guard let date else { return nil }
      return try Int.fetchOne(
        db, sql: "SELECT count(*) + 1 FROM photo WHERE trashedDate > ? OR (trashedDate = ? AND id < ?)",
        arguments: [date, date, id])
    }
  }
}
