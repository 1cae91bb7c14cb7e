import LiveLists

struct Photo: LiveRecord {
  var title: String
  var rank: Rank
  var id: String { title }
}

let store = try SQLiteStore(path: "photos.sqlite", creating: Photo.self)
let photos = FetchController(FetchDescriptor<Photo>().ordered(by: .ascending(\.rank)), in: store)

try await store.write { db in
  guard try Photo.fetchCount(db) == 0 else { return }
  let titles = ["Beach", "Dunes", "Pier", "Sea"]
  for (title, rank) in zip(titles, try Rank.between(nil, nil, count: titles.count)) {
    try Photo(title: title, rank: rank).insert(db)
  }
}

/// Moves a photo between its new neighbours, by writing its row and no other.
func move(_ title: String, before next: String) async throws {
  let order = (photos.snapshot?.itemIdentifiers ?? []).filter { $0 != title }
  guard let index = order.firstIndex(of: next), var photo = photos.object(for: title) else { return }
  let previous = index > 0 ? photos.object(for: order[index - 1]) : nil
  photo.rank = try Rank.between(previous?.rank, photos.object(for: next)?.rank)
  let moved = photo
  try await store.write { db in try moved.update(db) }
}

Task.detached {
  for try await change in photos.changes {
    print(change.snapshot.itemIdentifiers.joined(separator: " "), "– rows that changed:", change.moved.count)
  }
}

while let line = readLine() {
  let words = line.split(separator: " ").map(String.init)
  if words.count == 2 { try await move(words[0], before: words[1]) }
}
