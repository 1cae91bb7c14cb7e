public import LiveStore
public import Snapshots
import Synchronization

extension FetchController {
  /// The object of a row, read together with its neighbours unless it is at hand.
  ///
  /// While the store is cut off from its database, rows that are at hand stay so, and others are missing.
  /// The call waits for the database when it has to read. What it returns may be newer than the snapshot; within a
  /// transaction of the store's that the caller has begun, it may be as that sees it.
  /// - Parameter id: The row's primary key.
  /// - Returns: The object; nil when the list has no such row, or when it cannot be read: then the failure is
  ///   delivered with the next change.
  /// - Complexity: One statement for ``FetchOptions/nearbyItemsSize`` rows, for up to eight times as many where the list is
  ///   traversed row by row; none for an object at hand.
  @inlinable
  public func object(for id: Model.ID) -> Model? {
    if let object = cache.object(id) {
      counters.hit()
      return object
    }
    return load(id)
  }

  @inlinable
  func load(_ id: Model.ID) -> Model? {
    guard let snapshot, snapshot.indexOfItem(id) != nil, let plan else { return nil }
    let wanted = nearby(id, snapshot)
    let epoch = cache.epoch
    do {
      let (made, isNewest) = try read(wanted, plan)
      take(made, isNewest ? epoch : nil)
      for case .success(let object) in made where object.id == id { return object }
      return nil
    } catch {
      let failure = FetchError.database(error)
      if cache.note(failure, of: id) { report([failure]) }
      return nil
    }
  }

  /// The objects or errors that were made of rows, and whether the rows were as the last commit left them: else they
  /// may be older than the list.
  @usableFromInline
  typealias Reading = (made: [Result<Model, FetchError>], isNewest: Bool)

  /// Reads rows that are in list order: by the run that they are, or by their keys.
  @inlinable
  func read(_ ids: [Model.ID], _ plan: FetchPlan) throws -> Reading {
    if let range = run(ids), let reading = try read(ids, in: range, plan) { return reading }
    let type = plan.columns[0].type
    var isNewest = true
    let made = try store.rows(ids.compactMap { $0.fetchValue(as: type) }, of: plan) { id, row in
      if !row.isNewest { isNewest = false }
      return Self.make(id, row)
    }
    return (made, isNewest)
  }

  /// Reads rows by the run that they are.
  /// - Returns: nil where the store cannot, or where a row has left the run.
  @inlinable
  func read(_ ids: [Model.ID], in range: FetchOrderRange, _ plan: FetchPlan) throws -> Reading? {
    let type = plan.columns[0].type
    var isNewest = true
    // Keys that Swift takes for equal may differ in the database: the run may then have other rows than those wanted.
    if case .text = Model.ID.fetchColumnType, ids.contains(where: \.mayHaveTwin) { return nil }
    var wanted = WantedKeys(ids)
    var made: [Result<Model, FetchError>] = []
    made.reserveCapacity(ids.count)
    let isRead = try store.rows(in: range, of: plan) { key, row in
      if !row.isNewest { isNewest = false }
      if let id = Model.ID(fetchRaw: key, as: type), wanted.take(id) {
        made.append(Self.make(row) { FetchValue(key) })
      }
      return !wanted.isEmpty
    }
    return isRead && wanted.isEmpty ? (made, isNewest) : nil
  }

  /// The run of the list's order that rows are, which are in list order; nil when by their keys they are had sooner.
  @usableFromInline
  package func run(_ ids: [Model.ID]) -> FetchOrderRange? {
    // A row that lies between is cheaper than one by key, but three of them are not.
    guard ids.count >= 4, let first = ids.first, let last = ids.last else { return nil }
    return list?.range(from: first, through: last, atMost: ids.count * 3)
  }

  /// The objects of several rows, read in one statement as far as they are not at hand.
  ///
  /// No thread is kept waiting. Rows that are not there, or that cannot be read, are missing in the result.
  /// - Parameter ids: The rows' primary keys.
  /// - Returns: The objects by primary key.
  /// - Throws: ``FetchError`` when the database fails.
  public func objects(for ids: [Model.ID]) async throws(FetchError) -> [Model.ID: Model] {
    guard let plan else { return [:] }
    var objects: [Model.ID: Model] = [:]
    var missing: [Model.ID] = []
    for id in ids {
      // Of a listed row, and not of one whose key Swift takes for that of a listed row.
      if let object = cache.object(id), object.id.hasSameKey(as: id) {
        objects[id] = object
      } else {
        missing.append(id)
      }
    }
    counters.hit(objects.count)
    guard !missing.isEmpty else { return objects }
    let keys = missing.compactMap { $0.fetchValue(as: plan.columns[0].type) }
    let epoch = cache.epoch
    do {
      let made =
        if let range = run(missing) {
          try await store.loadRows(keys, in: range, of: plan, Self.make)
        } else {
          try await store.loadRows(keys, of: plan, Self.make)
        }
      take(made, epoch)
      for case .success(let object) in made { objects[object.id] = object }
      return objects
    } catch {
      throw .database(error)
    }
  }

  /// The objects of a range of a section's rows, in list order.
  ///
  /// The call waits for the database when it has to read.
  /// - Parameters:
  ///   - range: Positions of rows in the section; those beyond its end are left out.
  ///   - section: The position of the section.
  /// - Returns: The objects.
  /// - Throws: ``FetchError`` when the database fails.
  public func objects(in range: Range<Int>, ofSection section: Int = 0) throws(FetchError) -> [Model] {
    guard let snapshot, let plan, snapshot.sections.indices.contains(section) else { return [] }
    let items = snapshot.sections[section].items
    let ids = range.clamped(to: 0..<items.count).map { items[items.index(items.startIndex, offsetBy: $0)] }
    var objects: [Model.ID: Model] = [:]
    for id in ids { objects[id] = cache.object(id) }
    let missing = ids.filter { objects[$0] == nil }
    if !missing.isEmpty {
      let epoch = cache.epoch
      do {
        let (made, isNewest) = try read(missing, plan)
        take(made, isNewest ? epoch : nil)
        for case .success(let object) in made { objects[object.id] = object }
      } catch { throw .database(error) }
    }
    return ids.compactMap { objects[$0] }
  }

  /// The identifiers of the rows around one: those that are read with it where it is not at hand.
  ///
  /// A view that shows a row can have what belongs to its neighbours made ready, such as their pictures.
  /// - Parameter id: The row's primary key.
  /// - Returns: At most ``FetchOptions/nearbyItemsSize`` rows in list order, the row itself among them; none where the list
  ///   does not have it.
  /// - Complexity: O(*k* + log *n*) for *k* rows.
  public func nearbyItemIdentifiers(for id: Model.ID) -> [Model.ID] {
    guard let snapshot, let position = snapshot.indexOfItem(id) else { return [] }
    var readAhead = ReadAhead()
    return snapshot.items(
      at: readAhead.positions(
        around: position, size: options.nearbyItemsSize, atMost: options.cacheSize / 2,
        of: snapshot.numberOfItems))
  }

  /// The place of a row, or nil when the list has no such row.
  public func indexPath(for id: Model.ID) -> ListIndexPath? { snapshot?.indexPath(ofItem: id) }

  /// Returns the row at an index path, or nil when there is no such index path.
  public func id(at path: ListIndexPath) -> Model.ID? { snapshot?.itemIdentifier(at: path) }

  /// The row asked for and those that are to be read with it, as far as they are not at hand, in list order.
  @inlinable
  func nearby(_ id: Model.ID, _ snapshot: Snapshot) -> [Model.ID] {
    guard let position = snapshot.indexOfItem(id) else { return [] }
    let positions = positionsToRead(around: position, of: snapshot.numberOfItems)
    return cache.missing(snapshot.items(at: positions), but: id)
  }

  @usableFromInline
  func positionsToRead(around position: Int, of count: Int) -> Range<Int> {
    // What is kept has two halves: a portion is not to push out what was read just before.
    readAhead.withLock {
      $0.positions(around: position, size: options.nearbyItemsSize, atMost: options.cacheSize / 2, of: count)
    }
  }

  /// Makes an object of a row, which may fail.
  @inlinable
  static func make(_ id: FetchValue, _ row: FetchRow) -> Result<Model, FetchError> { make(row) { id } }

  @inlinable
  static func make(_ row: FetchRow, _ id: () -> FetchValue) -> Result<Model, FetchError> {
    if let refusal = row.refusal { return .failure(refusal) }
    do {
      return .success(try Model(fetchRow: row))
    } catch {
      let id = id().keyDescription
      return .failure(
        .row(
          RowDecodingFailure(
            id: id, column: (error as? FetchError)?.row?.column,
            message: "The row \(id) cannot be read: \(error)")))
    }
  }

  /// Keeps objects that were made, and reports those that could not be.
  @inlinable
  func take(_ made: [Result<Model, FetchError>], _ epoch: Int?) {
    counters.loaded(made.count)
    let failures = cache.store(made, readIn: epoch)
    if !failures.isEmpty { report(failures) }
  }

  @usableFromInline
  func report(_ failures: [FetchError]) {
    guard let position else { return }
    counters.noted(FetchCost(), failures: failures.count)
    counters.failed(failures.count)
    broadcaster.publish(
      FetchUpdate(
        snapshot: Snapshot(), position: position, touched: [], isOfObjects: true,
        failures: Array(failures.prefix(ObjectCache<Model>.failureLimit)), cost: FetchCost(hasFailed: true))
    ).resumeAll()
  }
}
