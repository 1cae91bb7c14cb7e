import ExampleServer
import LiveLists

/// Photos in an order of one's own: `make photos`, with those of a folder by `FOLDER=…`.
@main
struct Photos {
  static func main() async {
    await ExampleServer.run(page: Bundle.module, word: "FOLDER") { server in
      let store = try openStore(server.path(of: "photos.sqlite"))
      let originals = URL(fileURLWithPath: server.path(of: "originals"), isDirectory: true)
      if let folder = server["FOLDER"] {
        let count = try await store.add(picturesOf: URL(fileURLWithPath: folder), copyingTo: originals)
        ExampleServer.say("\(count) new \(count == 1 ? "picture" : "pictures") in \(folder)")
      } else if try await store.read({ db in try Photo.fetchCount(db) }) == 0 {
        let folder = URL(fileURLWithPath: server.path(of: "samples"), isDirectory: true)
        try Sample.write(to: folder)
        _ = try await store.add(picturesOf: folder, copyingTo: originals)
        try FileManager.default.removeItem(at: folder)
      }

      // One list for all who look: they are sent the same bytes.
      let list = FetchController(Photo.inOrder, in: store).stream { Shown(photo: $0) }
      server.events("/stream") { _, query in list.events(query: query) }

      // The path of a file is made of an identifier, which was made here, and of nothing that came with it.
      server.files("/originals") { name in
        guard let id = UUID(uuidString: name),
          let photo = try await store.read({ db in try Photo.fetchOne(db, key: id) })
        else { return nil }
        return (originals.appendingPathComponent(photo.fileName).path, photo.type)
      }

      // A drag is a write, and nobody tells the lists: they change because the commit comes round.
      server.post("/moves") { (move: Move) in
        let rows = try await store.write(origin: move.act) { db in
          let before = db.totalChangesCount
          try move.perform(db)
          return db.totalChangesCount - before
        }.result
        ExampleServer.say("moved: \(move.ids.count), rows written: \(rows)")
      }
    }
  }

  /// A photo as pages are sent it. Its rank is the store's: that it has changed is seen in the order.
  struct Shown: Encodable {
    var name, address: String

    init(photo: Photo) {
      name = photo.name
      address = "/originals/\(photo.fileName)"
    }
  }
}
