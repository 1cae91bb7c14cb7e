import ContactSheetLibrary
import Foundation

/// The page of all albums for browsers that run no scripts: their titles, as links.
struct PlainAlbums: Sendable {
  /// The server's path, with which all addresses begin.
  var path: ServerPath
  var albums: [Album]

  /// The HTML. Everything that a user wrote is escaped.
  var markup: String {
    """
    <section class="plain" id="plain">
    <ul>\(albums.map(link).joined())</ul>
    <p><a href="\(path.text)/trash">Trash</a></p>
    </section>
    """
  }

  private func link(_ album: Album) -> String {
    #"<li><a dir="auto" href="\#(path.text)/albums/\#(album.id.wireText)">\#(WebAssets.escaped(album.title))</a>"#
      + " (\(album.photoCount))</li>"
  }
}
