#if canImport(SwiftUI)
  import LiveLists
  import SwiftUI

  /// The same events in SwiftUI: a list in sections that leads to each event. Type-checked against stubs of SwiftUI; never run.
  struct EventsView: View {
    @LiveList<FetchSectionID, UUID, Event> var list
    let events: FetchController<Event>

    init(_ events: FetchController<Event>) { self.events = events }

    var body: some View {
      NavigationStack {
        List {
          ForEach(list.snapshot.sectionIdentifiers, id: \.self) { section in
            Section(section.text) {
              ForEach(items(in: section), id: \.self) { id in
                if let event = list[id] {
                  NavigationLink(event.timestamp.formatted()) { Text(event.sectionName) }
                }
              }
            }
          }
        }
      }
      .task { try? await $list.follow(events.changes) { id in events.object(for: id) } }
    }

    private func items(in section: FetchSectionID) -> [UUID] {
      (try? list.snapshot.itemIdentifiers(inSection: section)) ?? []
    }
  }
#endif
