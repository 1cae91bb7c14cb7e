import ContactSheetLibrary
import Foundation
import Hummingbird

/// The pages and the files that they load.
struct PageRoutes<Context: RequestContext>: Sendable {
  let library: PhotoLibrary
  let pages: WebAssets
  let listFiles: WebAssets
  let access: Access?

  /// The name of this version of the pages: another where any of their files is another.
  private let build: String
  /// The links for what each page's script imports, by the page's file.
  private let preloads: [String: String]

  init(library: PhotoLibrary, pages: WebAssets, listFiles: WebAssets, access: Access?) {
    self.library = library
    self.pages = pages
    self.listFiles = listFiles
    self.access = access
    build = pages.tag(with: listFiles)
    let modules = ModuleGraph(folders: ["assets": pages, "live-list": listFiles])
    preloads = ["album.html": "album.js", "albums.html": "albums-page.js", "trash.html": "trash.js"]
      .mapValues { modules.preloads(of: "assets/\($0)", at: pages.path) }
  }

  /// A Boolean value that indicates whether people have logged in, and can log out.
  private var hasLogout: Bool { access?.asksForPassword == true }

  /// The features of this server beyond the least at this moment, in the words of Documentation/ContactSheetHTTP.md.
  private var features: [String] {
    [
      "undo", "albums", "search", "search-all", "months", "export", "trash", "titles", "order", "archives",
      "streams", "build", "additions", "covers", "details",
    ] + (access == nil ? [] : ["login"]) + (hasLogout ? ["logout"] : [])
  }

  func add(to router: Router<Context>) {
    router.get("/") { _, _ in try await first() }
    router.get("/api/build") { _, _ in try Response.json(["build": build]) }
    router.get("/albums/{album}") { request, context in try await album(request, context) }
    router.get("/albums/{album}/photos/{photo}") { request, context in try await photo(request, context) }
    router.get("/albums") { request, _ in try await albums(request) }
    router.get("/trash") { request, _ in try await trash(request) }
    router.get("/trash/photos/{photo}") { request, context in
      try await trash(request, opening: context.parameters.get("photo") ?? "")
    }
    router.get("/assets/**") { request, context in
      try asset(context.parameters.getCatchAll().joined(separator: "/"), in: pages, request)
    }
    router.get("/live-list/**") { request, context in
      try asset(context.parameters.getCatchAll().joined(separator: "/"), in: listFiles, request)
    }
    router.get("/favicon.ico") { request, _ in try asset("favicon.ico", in: pages, request) }
  }

  private func first() async throws -> Response {
    try await library.prepareFirstAlbum()
    guard let first = try await library.albums().first else {
      throw ContactSheetError(.notFound, "There is no album.")
    }
    return .redirect(to: "/albums/\(first.id.wireText)", type: .temporary)
  }

  private func album(_ request: Request, _ context: Context) async throws -> Response {
    guard let album = try await library.album(try context.albumID) else {
      throw ContactSheetError(.notFound, "There is no such album. It may have been deleted.")
    }
    return try await page(of: album, notice: PlainRoutes.notice(for: request), for: request)
  }

  /// The page of an album with the photos of one window for those without scripts.
  private func page(
    of album: Album, notice: PlainPage.Notice?, status: HTTPResponse.Status = .ok, for request: Request
  ) async throws -> Response {
    let number =
      request.query("page").flatMap { OutsideNumber.clamped($0, to: 1...PlainPage.count(of: album)) } ?? 1
    let plain = PlainPage(
      path: pages.path, albums: try await library.albums(), album: album,
      photos: try await library.photos(
        in: album.id, from: (number - 1) * PlainPage.window, count: PlainPage.window),
      number: number, notice: notice, hasLogout: hasLogout)
    return try page(of: album, plain: plain.markup, status: status, for: request)
  }

  /// The page of an album with one of its photos open; where the photo is gone, people get the album and a message.
  private func photo(_ request: Request, _ context: Context) async throws -> Response {
    let albumID = try context.albumID
    guard let id = context.parameters.get("photo").flatMap({ UUID(uuidString: $0) }),
      let plain = try await library.plainPhoto(id, in: albumID)
    else {
      guard request.takesPage, let album = try await library.album(albumID) else {
        throw ContactSheetError(.notFound, "There is no such photo in this album. It may have been deleted.")
      }
      // With scripts the page itself says so: it does not find the photo of its address in the list.
      let notice = PlainPage.Notice(text: "That photo is not in this album any more.")
      return try await page(of: album, notice: notice, status: .notFound, for: request)
    }
    return try page(
      of: plain.album, position: plain.position, plain: plain.markup(at: pages.path), for: request)
  }

  /// - Parameter position: Where the photo is that the page opens, from 1: its script fetches the rows around it first.
  private func page(
    of album: Album, position: Int? = nil, plain: String, status: HTTPResponse.Status = .ok,
    for request: Request
  ) throws -> Response {
    let values = [
      "albumID": album.id.wireText, "title": album.title, "features": features.joined(separator: " "),
      "build": build, "position": position.map(String.init) ?? "",
    ]
    guard let page = filled("album.html", values, plain: plain) else {
      throw ContactSheetError(.internal, "The album's page is missing. Install ContactSheet again.")
    }
    return .html(page, status: status, for: request)
  }

  /// The page of all albums.
  private func albums(_ request: Request) async throws -> Response {
    let plain = PlainAlbums(path: pages.path, albums: try await library.albums())
    let values = ["features": features.joined(separator: " "), "build": build]
    guard let page = filled("albums.html", values, plain: plain.markup) else {
      throw ContactSheetError(.internal, "The page of the albums is missing. Install ContactSheet again.")
    }
    return .html(page, for: request)
  }

  /// The page of the trash, with one of its photos open where one is named; where that is gone, people get the page all the same.
  private func trash(_ request: Request, opening photo: String? = nil) async throws -> Response {
    var position: Int?
    if let photo {
      if let id = UUID(uuidString: photo) { position = try await library.positionInTrash(of: id) }
      guard position != nil || request.takesPage else {
        throw ContactSheetError(
          .notFound, "There is no such photo in the trash. It may have been brought back.")
      }
    }
    let isMissing = photo != nil && position == nil
    let notice =
      isMissing
      ? PlainPage.Notice(text: "That photo is not in the trash any more.") : PlainRoutes.notice(for: request)
    let summary = try await library.trash()
    let plain = PlainTrash(
      path: pages.path, summary: summary,
      photos: try await library.newestInTrash(PlainPage.window),
      notice: notice)
    let values = [
      "features": features.joined(separator: " "), "build": build,
      "position": position.map(String.init) ?? "",
      "days": summary.days.map(String.init) ?? "",
    ]
    guard let page = filled("trash.html", values, plain: plain.markup) else {
      throw ContactSheetError(.internal, "The page of the trash is missing. Install ContactSheet again.")
    }
    return .html(page, status: isMissing ? .notFound : .ok, for: request)
  }

  /// A page with its values, and with links for the modules that its script imports.
  private func filled(_ name: String, _ values: [String: String], plain: String) -> String? {
    pages.page(name, filling: values, markup: ["plain": plain, "preloads": preloads[name] ?? ""])
  }

  private func asset(_ name: String, in files: WebAssets, _ request: Request) throws -> Response {
    guard let asset = files[name] else {
      throw ContactSheetError(.notFound, "There is no file of this name.")
    }
    return .asset(asset, for: request)
  }
}
