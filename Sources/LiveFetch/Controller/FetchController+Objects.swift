public import Snapshots

extension FetchController {
  /// The object of a row, read together with its neighbours unless it is at hand.
  ///
  /// The call waits for the database when it has to read. What it returns may be newer than the snapshot.
  /// - Parameter id: The row's primary key.
  /// - Returns: The object; nil when the list has no such row, or when it cannot be read: then the failure is
  ///   delivered with the next change.
  /// - Complexity: One statement for ``FetchOptions/nearbyItemsSize`` rows; none for an object at hand.
  public func object(for id: Model.ID) -> Model? {
    if let object = cache.object(id) {
      counters.hit()
      return object
    }
    guard let snapshot, snapshot.indexOfItem(id) != nil, let plan = list?.plan else { return nil }
    let wanted = nearby(id, snapshot)
    let epoch = cache.epoch
    do {
      let rows = try store.rows(wanted.compactMap { $0.fetchValue(as: plan.columns[0].type) }, of: plan)
      return take(rows, plan, epoch)[id]
    } catch {
      report([.database(error)])
      return nil
    }
  }

  /// The objects of several rows, read in one statement as far as they are not at hand.
  ///
  /// No thread is kept waiting. Rows that are not there, or that cannot be read, are missing in the result.
  /// - Parameter ids: The rows' primary keys.
  /// - Returns: The objects by primary key.
  /// - Throws: ``FetchError`` when the database fails.
  public func objects(for ids: [Model.ID]) async throws(FetchError) -> [Model.ID: Model] {
    guard let plan = list?.plan else { return [:] }
    var objects: [Model.ID: Model] = [:]
    var missing: [FetchValue] = []
    for id in ids {
      if let object = cache.object(id) {
        objects[id] = object
      } else if let value = id.fetchValue(as: plan.columns[0].type) {
        missing.append(value)
      }
    }
    counters.hit(objects.count)
    guard !missing.isEmpty else { return objects }
    let epoch = cache.epoch
    do {
      let rows = try await store.loadRows(missing, of: plan)
      return objects.merging(take(rows, plan, epoch)) { $1 }
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
    guard let snapshot, let plan = list?.plan, snapshot.sections.indices.contains(section) else { return [] }
    let items = snapshot.sections[section].items
    let ids = range.clamped(to: 0..<items.count).map { items[items.index(items.startIndex, offsetBy: $0)] }
    let missing = ids.filter { !cache.contains($0) }.compactMap { $0.fetchValue(as: plan.columns[0].type) }
    var objects: [Model.ID: Model] = [:]
    if !missing.isEmpty {
      let epoch = cache.epoch
      do { objects = take(try store.rows(missing, of: plan), plan, epoch) } catch { throw .database(error) }
    }
    return ids.compactMap { objects[$0] ?? cache.object($0) }
  }

  /// The place of a row, or nil when the list has no such row.
  public func indexPath(for id: Model.ID) -> ListIndexPath? { snapshot?.indexPath(ofItem: id) }

  /// The row at a place, or nil when there is no such place.
  public func id(at path: ListIndexPath) -> Model.ID? { snapshot?.itemIdentifier(at: path) }

  /// The row asked for and those around it that are not at hand.
  private func nearby(_ id: Model.ID, _ snapshot: Snapshot) -> [Model.ID] {
    guard let place = snapshot.indexOfItem(id) else { return [] }
    let items = snapshot.items
    // Lists are mostly walked forwards: three quarters of the rows read are those that follow.
    let size = max(1, options.nearbyItemsSize)
    let first = max(0, place - size / 4)
    var wanted = [id]
    for neighbour in first..<min(items.count, first + size) where neighbour != place {
      let id = items[items.index(items.startIndex, offsetBy: neighbour)]
      if !cache.contains(id) { wanted.append(id) }
    }
    return wanted
  }

  /// Makes objects of rows, keeps them, and reports those that cannot be made.
  private func take(_ rows: [(id: FetchValue, row: FetchRow)], _ plan: FetchPlan, _ epoch: Int) -> [Model.ID:
    Model]
  {
    var objects: [Model.ID: Model] = [:]
    var failures: [FetchError] = []
    for (key, row) in rows {
      do {
        let object = try Model(fetchRow: row)
        objects[object.id] = object
      } catch {
        failures.append(
          .row(BadRow(id: "\(key)", column: nil, message: "The row \(key) cannot be read: \(error)")))
      }
    }
    counters.loaded(rows.count)
    cache.keep(Array(objects.values), readIn: epoch)
    if !failures.isEmpty { report(failures) }
    return objects
  }

  private func report(_ failures: [FetchError]) {
    guard let position else { return }
    hub.publish(
      ListUpdate(
        snapshot: Snapshot(), position: position, touched: .some([]), failures: failures,
        cost: FetchCost(hasFailed: true)))
  }
}
