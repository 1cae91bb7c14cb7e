import LiveLists

/// The contents of a backup that a library does not know, and would overwrite.
struct BackupLoss {
  /// The titles of some rows, and how many there are.
  struct Rows {
    var count = 0
    var titles: [String] = []

    static func + (lhs: Rows, rhs: Rows) -> Rows {
      Rows(count: lhs.count + rhs.count, titles: lhs.titles + rhs.titles)
    }
  }

  private static let namedTitles = 3

  /// Photos and albums that are only in the backup.
  private var photos = Rows()
  private var albums = Rows()
  /// Photos and albums that have other titles there.
  private var titles = Rows()
  /// Photos and albums that have another position there: in the order, in another album, in the trash or not.
  private var positions = Rows()

  var isEmpty: Bool { photos.count + albums.count + titles.count + positions.count == 0 }

  /// Compares the library `main` with the backup `theirs`, both of which are databases of one connection. Of a backup of an earlier release
  /// the columns that it has count.
  ///
  /// Where the backup has no history, and so was made by an earlier release, it may be older. The library knows then what
  /// its mutations changed, as long as they can be undone: it is no loss.
  ///
  /// - Complexity: O(*n* log *n*) in the number of photos.
  init(_ db: Database) throws {
    let isKnown = try !BackupHistory.exists("theirs", db)
    photos = try Self.rows(
      db, "photo AS theirs",
      where: """
        id NOT IN (SELECT id FROM main.photo)
        \(isKnown ? "AND id NOT IN (SELECT photoID FROM main.act_photo)" : "")
        """)
    albums = try Self.rows(db, "album AS theirs", where: "id NOT IN (SELECT id FROM main.album)")
    for (table, columns) in [
      ("album", ["rank", "deletedDate"]), ("photo", ["albumID", "rank", "trashedDate"]),
    ] {
      let both = "\(table) AS theirs JOIN main.\(table) AS ours ON ours.id = theirs.id"
      titles = try titles + Self.rows(db, both, where: "theirs.title IS NOT ours.title")
      let there = try BackupHistory.columns(of: table, in: "theirs", db)
      let compared = columns.filter { there.contains($0) }
      guard !compared.isEmpty else { continue }
      let differs = compared.map { "theirs.\($0) IS NOT ours.\($0)" }.joined(separator: " OR ")
      let isChanged = """
        AND (\(Self.list(compared, of: "theirs.", "theirs.id")))
        NOT IN (SELECT \(Self.list(compared, of: "", "photoID")) FROM main.act_photo)
        """
      positions =
        try positions
        + Self.rows(
          db, both,
          where: """
            theirs.title IS ours.title AND (\(differs)) \(isKnown && table == "photo" ? isChanged : "")
            """)
    }
  }

  /// The columns as values that are equal also where they are NULL.
  private static func list(_ columns: [String], of table: String, _ id: String) -> String {
    ([id] + columns.map { "quote(\(table)\($0))" }).joined(separator: ", ")
  }

  private static func rows(_ db: Database, _ from: String, where condition: String) throws -> Rows {
    let cursor = try String.fetchCursor(
      db,
      sql:
        "SELECT CAST(coalesce(theirs.title, '') AS TEXT) FROM theirs.\(from) WHERE \(condition) ORDER BY 1, theirs.rowid"
    )
    var rows = Rows()
    while let title = try cursor.next() {
      rows.count += 1
      if rows.titles.count < namedTitles { rows.titles.append(title) }
    }
    return rows
  }

  /// The loss in words, as “2 photos (“Cat”, “Dog”) and 1 album (“Pets”)”.
  var description: String {
    let parts = [
      Self.count(photos, "photo", "photos"), Self.count(albums, "album", "albums"),
      Self.count(titles, "other title", "other titles"),
      Self.count(
        positions, "photo or album in another position or the trash",
        "photos or albums in other positions or the trash"),
    ].compactMap { $0 }
    return parts.count < 2
      ? parts.joined() : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
  }

  private static func count(_ rows: Rows, _ one: String, _ many: String) -> String? {
    guard rows.count > 0 else { return nil }
    var named = rows.titles.prefix(namedTitles).map { "“\($0)”" }
    if rows.count > named.count { named.append("…") }
    return "\(rows.count) \(rows.count == 1 ? one : many) (\(named.joined(separator: ", ")))"
  }
}
