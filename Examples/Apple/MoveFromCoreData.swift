#if canImport(CoreData)
  import CoreData
  import LiveLists

  /// Reads the events of an app on Core Data, to write them into a store. Type-checked against stubs of Core Data; never run.
  func oldEvents(in context: NSManagedObjectContext) async throws -> [Event] {
    try await context.perform {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Event")).compactMap { old in
        guard let id = old.value(forKey: "id") as? UUID, let time = old.value(forKey: "timestamp") as? Date
        else { return nil }
        return Event(id: id, sectionName: old.value(forKey: "sectionName") as? String ?? "", timestamp: time)
      }
    }
  }
#endif
