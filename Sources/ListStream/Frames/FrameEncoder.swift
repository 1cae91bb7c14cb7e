internal import Snapshots

/// Writes frames of one list. What sections and items are called on the wire is the app's choice.
struct FrameEncoder<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  typealias Snapshot = DiffableSnapshot<SectionID, ItemID>
  typealias Difference = SnapshotDifference<SectionID, ItemID>

  let epoch: String
  let sectionName: @Sendable (SectionID) -> String
  let itemName: @Sendable (ItemID) -> String

  func snapshotFrame(
    _ snapshot: Snapshot, sequence: Int, mutationIDs: [String], content: (ItemID) -> [UInt8]?
  ) -> ListStreamFrame {
    var json = JSONWriter()
    json.reserve(snapshot.numberOfItems * 48)
    head(&json, .snapshot, from: nil, sequence: sequence)
    json.key("sections")
    json.beginArray()
    for section in snapshot.sections {
      json.beginObject()
      json.key("id")
      json.string(sectionName(section.id))
      json.key("items")
      json.strings(section.items.lazy.map(itemName))
      json.endObject()
    }
    json.endArray()
    write(&json, contentOf: snapshot.items, content)
    list(&json, "acts", mutationIDs)
    json.endObject()
    return frame(.snapshot, sequence, json)
  }

  /// A frame that counts the items of sections, and names those at some positions.
  ///
  /// - Parameters:
  ///   - kind: A snapshot, or a range.
  ///   - rows: The rows that it names.
  ///   - contents: Their encoded contents; `nil` for a frame of ids alone.
  func countedFrame(
    _ kind: ListStreamFrame.Kind, _ rows: WindowRows<SectionID, ItemID>, sequence: Int, mutationIDs: [String],
    contents: [ItemID: [UInt8]]?
  ) -> ListStreamFrame {
    var json = JSONWriter()
    json.reserve(rows.count * 48 + rows.sections.count * 32)
    head(&json, kind, from: nil, sequence: sequence)
    json.key("sections")
    json.beginArray()
    for section in rows.sections {
      json.beginObject()
      json.key("id")
      json.string(sectionName(section.id))
      json.key("count")
      json.integer(section.count)
      if !section.items.isEmpty {
        json.key("windows")
        json.beginArray()
        json.beginArray()
        json.integer(section.from)
        json.strings(section.items.lazy.map(itemName))
        json.endArray()
        json.endArray()
      }
      json.endObject()
    }
    json.endArray()
    if let contents {
      write(&json, contentOf: rows.sections.lazy.flatMap(\.items)) { contents[$0] }
    }
    list(&json, "acts", mutationIDs)
    json.endObject()
    return frame(kind, sequence, json)
  }

  /// Writes the encoded contents of those items that have one.
  private func write(
    _ json: inout JSONWriter, contentOf items: some Sequence<ItemID>, _ content: (ItemID) -> [UInt8]?
  ) {
    json.key("content")
    json.beginObject()
    for item in items {
      guard let bytes = content(item) else { continue }
      json.key(itemName(item))
      json.raw(bytes)
    }
    json.endObject()
  }

  /// - Parameter contents: The encoded contents of items that arrive or are to be shown anew.
  func changeFrame(
    _ difference: Difference, in snapshot: Snapshot, from: Int, sequence: Int, mutationIDs: [String],
    contents: [(ItemID, [UInt8])]
  ) -> ListStreamFrame {
    var json = JSONWriter()
    head(&json, .change, from: from, sequence: sequence)
    list(&json, "acts", mutationIDs)
    sections(&json, difference)
    items(&json, difference)
    marks(&json, difference, in: snapshot)
    if !contents.isEmpty {
      json.key("content")
      json.beginObject()
      for (item, bytes) in contents {
        json.key(itemName(item))
        json.raw(bytes)
      }
      json.endObject()
    }
    json.endObject()
    return frame(.change, sequence, json)
  }

  func failureFrame(_ message: String?, sequence: Int?) -> ListStreamFrame {
    var json = JSONWriter()
    head(&json, .failure, from: nil, sequence: sequence ?? 0)
    json.key("message")
    if let message { json.string(message) } else { json.null() }
    json.endObject()
    return frame(.failure, sequence, json)
  }

  private func frame(_ kind: ListStreamFrame.Kind, _ sequence: Int?, _ json: JSONWriter) -> ListStreamFrame {
    let version = sequence.map { ListStreamVersion(validEpoch: epoch, sequence: $0) }
    return ListStreamFrame(kind: kind, version: version, json: json.bytes)
  }

  private func head(_ json: inout JSONWriter, _ kind: ListStreamFrame.Kind, from: Int?, sequence: Int) {
    json.beginObject()
    json.key("format")
    json.integer(1)
    json.key("kind")
    json.string(kind.rawValue)
    json.key("epoch")
    json.string(epoch)
    if let from {
      json.key("from")
      json.integer(from)
    }
    json.key("seq")
    json.integer(sequence)
  }

  private func list(_ json: inout JSONWriter, _ name: String, _ texts: [String]) {
    if texts.isEmpty { return }
    json.key(name)
    json.strings(texts)
  }

  private func sections(_ json: inout JSONWriter, _ difference: Difference) {
    guard
      !(difference.deletedSections.isEmpty && difference.insertedSections.isEmpty
        && difference.movedSections.isEmpty)
    else { return }
    json.key("sections")
    json.beginObject()
    entries(&json, "deleted", difference.deletedSections) { json, change in
      json.string(sectionName(change.id))
      json.integer(change.index)
    }
    entries(&json, "inserted", difference.insertedSections) { json, change in
      json.string(sectionName(change.id))
      json.integer(change.index)
    }
    entries(&json, "moved", difference.movedSections) { json, move in
      json.string(sectionName(move.id))
      json.integer(move.from)
      json.integer(move.to)
    }
    json.endObject()
  }

  private func items(_ json: inout JSONWriter, _ difference: Difference) {
    // What goes with its section is not listed.
    let gone = Set(difference.deletedSections.map(\.index))
    let deleted = difference.deletedItems.filter { !gone.contains($0.path.section) }
    guard !(deleted.isEmpty && difference.insertedItems.isEmpty && difference.movedItems.isEmpty) else {
      return
    }
    json.key("items")
    json.beginObject()
    entries(&json, "deleted", deleted) { json, change in
      json.string(itemName(change.id))
      json.path(change.path)
    }
    entries(&json, "inserted", difference.insertedItems) { json, change in
      json.string(itemName(change.id))
      json.path(change.path)
    }
    entries(&json, "moved", difference.movedItems) { json, move in
      json.string(itemName(move.id))
      json.path(move.from)
      json.path(move.to)
    }
    json.endObject()
  }

  /// Marks on items that are there and did not just arrive; those of sections as marks of their items.
  private func marks(_ json: inout JSONWriter, _ difference: Difference, in snapshot: Snapshot) {
    guard
      !(difference.reloadedSections.isEmpty && difference.reloadedItems.isEmpty
        && difference.reconfiguredItems.isEmpty)
    else { return }
    var seen = Set(difference.insertedItems.map(\.id))
    func hasChanged(_ item: ItemID) -> Bool {
      snapshot.indexPath(ofItem: item) != nil && seen.insert(item).inserted
    }
    let ofSections = difference.reloadedSections.flatMap { section in
      (try? snapshot.itemIdentifiers(inSection: section)) ?? []
    }
    list(&json, "reloaded", (difference.reloadedItems + ofSections).filter(hasChanged).map(itemName))
    list(&json, "reconfigured", difference.reconfiguredItems.filter(hasChanged).map(itemName))
  }

  private func entries<Entry>(
    _ json: inout JSONWriter, _ name: String, _ entries: [Entry], _ write: (inout JSONWriter, Entry) -> Void
  ) {
    if entries.isEmpty { return }
    json.key(name)
    json.beginArray()
    for entry in entries {
      json.beginArray()
      write(&json, entry)
      json.endArray()
    }
    json.endArray()
  }
}
