import ContactSheetLibrary
import Foundation
import HTTPTypes
import Hummingbird

/// The routes of forms on pages without scripts. They answer with a redirection to the page, which says what was done.
struct PlainRoutes: Sendable {
  let library: PhotoLibrary
  let lists: SharedLists

  /// The largest number of a page that an address tells; pages beyond the last show the last.
  private let maximumPage = 1_000_000_000

  /// An action that a form can request.
  enum Action: String, CaseIterable {
    case delete, start, end, place, undo
  }

  func add(to router: Router<WebContext>) {
    addTrash(to: router)
    router.post("/albums/{album}") { request, context in
      let albumID = try context.albumID
      let form = try await request.form()
      let page = form["page"].flatMap { OutsideNumber.clamped($0, to: 1...maximumPage) } ?? 1
      let back = "/albums/\(albumID.wireText)?page=\(page)"
      let done: String
      do {
        done = try await perform(form, in: albumID)
      } catch let error as ContactSheetError where error.code == .conflict || error.code == .notFound {
        done = "&said=\(PercentEncoding.encoded(error.code.rawValue))"
      }
      return Response(
        status: .seeOther, headers: [.location: "\(back)\(done)#plain", .cacheControl: "no-store"])
    }
  }

  private func addTrash(to router: Router<WebContext>) {
    router.post("/trash") { request, _ in
      let form = try await request.form()
      guard form["do"] == "restore", let mutationID = form["act"].flatMap({ UUID(uuidString: $0) }) else {
        throw ContactSheetError(.badRequest, "The form does not say what to do.")
      }
      let ids = form.all("ids").compactMap { UUID(uuidString: $0) }.uniqued()
      var done = "said=none"
      if !ids.isEmpty {
        do {
          let result = try await library.restore(ids, mutationID: mutationID)
          done = "did=restored&count=\(result.restored)"
        } catch let error as ContactSheetError where error.code == .conflict {
          done = "said=stays"
        }
        await lists.acknowledge(mutationID, in: nil)
      }
      return Response(
        status: .seeOther, headers: [.location: "/trash?\(done)#plain", .cacheControl: "no-store"])
    }
  }

  /// - Returns: What the address of the page says about it.
  private func perform(_ form: FormBody, in albumID: UUID) async throws -> String {
    guard let action = form["do"].flatMap({ Action(rawValue: $0) }),
      let mutationID = form["act"].flatMap({ UUID(uuidString: $0) })
    else {
      throw ContactSheetError(.badRequest, "The form does not say what to do.")
    }
    let ids = form.all("ids").compactMap { UUID(uuidString: $0) }.uniqued()
    guard !ids.isEmpty || action == .undo else { return "&said=none" }
    switch action {
    case .delete:
      try await library.delete(ids, from: albumID, mutationID: mutationID)
    case .undo:
      guard let undone = form["undoes"].flatMap({ UUID(uuidString: $0) }) else {
        throw ContactSheetError(.badRequest, "The form does not say what to undo.")
      }
      try await library.undo(undone, in: albumID, mutationID: mutationID)
    case .start, .end, .place:
      let position =
        switch action {
        case .start: 1
        case .end: Int.max
        default: form["position"].flatMap { OutsideNumber.clamped($0, to: 1...Int.max) } ?? 1
        }
      let gap = try await library.gap(at: position, without: Set(ids), in: albumID)
      // Where all photos are selected there is nothing to move them past.
      guard gap.after != nil || gap.before != nil else { return "&said=none" }
      try await library.move(ids, in: albumID, to: gap, mutationID: mutationID)
    }
    await lists.acknowledge(mutationID, in: albumID)
    let done = action == .delete ? "deleted" : action == .undo ? "undone" : "moved"
    return "&did=\(done)&count=\(ids.count)" + (action == .undo ? "" : "&act=\(mutationID.wireText)")
  }

  /// Returns the message of a page after a form, by its address: words of ours, whatever the address holds.
  static func notice(for request: Request) -> PlainPage.Notice? {
    switch request.query("said") {
    case "none": return PlainPage.Notice(text: "Nothing was changed: select some of the photos first.")
    case "conflict":
      return PlainPage.Notice(text: "Nothing was changed: the photos have changed meanwhile. Try again.")
    case "stays":
      return PlainPage.Notice(
        text: "Nothing was changed: the album has been deleted, or has the same photo already.")
    case "notFound": return PlainPage.Notice(text: "Nothing was changed: that is not there any more.")
    default: break
    }
    let count = request.query("count").flatMap { OutsideNumber.clamped($0, to: 0...1_000_000_000) } ?? 0
    let photos = count == 1 ? "1 photo" : "\(count) photos"
    let mutationID = request.query("act").flatMap { UUID(uuidString: $0) }
    switch request.query("did") {
    case "deleted": return PlainPage.Notice(text: "Deleted \(photos).", mutationID: mutationID)
    case "moved": return PlainPage.Notice(text: "Moved \(photos).", mutationID: mutationID)
    case "restored": return PlainPage.Notice(text: "Brought back \(photos).")
    case "undone": return PlainPage.Notice(text: "Undone.")
    default: return nil
    }
  }
}
