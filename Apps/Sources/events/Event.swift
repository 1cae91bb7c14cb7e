import ExampleServer
import LiveLists

/// An event. Its table and columns are found by these properties.
struct Event: LiveRecord, DraftModel {
  var id: String
  var section: String
  /// Such as `2026-06-01T09:30`, whose order as text is that of time, in every language and time zone.
  var time: String
  var title: String
  /// Of this the list shows nothing.
  var note: String

  /// The events of the sections with a text in their names, whatever its case and accents; the newest first in each.
  static func request(inSectionsMatching text: String = "") -> FetchDescriptor<Event> {
    let all = FetchDescriptor<Event>().sectioned(by: \.section)
      .ordered(by: .descending(\.time), .ascending(\.title))
    return text.isEmpty ? all : all.filter(#Predicate { $0.section.localizedStandardContains(text) })
  }

  func validate() throws {
    guard time.count == 16, (try? Date("\(time):00Z", strategy: .iso8601)) != nil,
      (1...36).contains(id.count),
      (1...40).contains(section.count), (1...100).contains(title.count), note.count <= 1000
    else {
      throw ExampleServer.Refusal("An event has a section, a time such as 2026-06-01T09:30, and a title.")
    }
  }

  /// The events that there are at first: in turn one of each of seven sections, every 23 minutes.
  static func program(_ count: Int) -> [Event] {
    let sections = [
      "Concerts", "Excursions", "Exhibitions", "Lectures", "Meals", "Workshops", "Café conversations",
    ]
    return (0..<count).map { number in
      let date = Date(timeIntervalSince1970: 1_780_000_200 + Double(number) * 23 * 60)
      return Event(
        id: UUID().uuidString.lowercased(), section: sections[number % 7],
        time: String(date.ISO8601Format().prefix(16)), title: "Event \(number + 1)", note: "")
    }
  }
}
