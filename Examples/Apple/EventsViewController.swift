#if canImport(UIKit)
  import LiveLists
  import UIKit

  /// The events of an app, the newest first, in sections. Type-checked against stubs of UIKit; never run.
  final class EventsViewController: UITableViewController, UISearchResultsUpdating {
    private let store: any FetchStore
    private lazy var events = FetchController(request(), in: store)
    private lazy var list = TableViewList(tableView, showing: events) { view, path, event in
      let cell = view.dequeueReusableCell(withIdentifier: "event", for: path)
      var content = cell.defaultContentConfiguration()
      content.text = event.timestamp.formatted()
      cell.contentConfiguration = content
      return cell
    }

    init(store: any FetchStore) {
      self.store = store
      super.init(style: .plain)
    }

    required init?(coder: NSCoder) { nil }

    private func request(matching text: String = "") -> FetchDescriptor<Event> {
      let all = FetchDescriptor<Event>().sectioned(by: \.sectionName).ordered(by: .descending(\.timestamp))
      return text.isEmpty ? all : all.filter(#Predicate { $0.sectionName.localizedStandardContains(text) })
    }

    override func viewDidLoad() {
      super.viewDidLoad()
      tableView.register(UITableViewCell.self, forCellReuseIdentifier: "event")
      let search = UISearchController(searchResultsController: nil)
      search.searchResultsUpdater = self
      navigationItem.searchController = search
      list.headerTitle = { $0.text }
      list.didChange = { [weak self] change in self?.select(change.inserted.first) }
      list.start()
    }

    func updateSearchResults(for search: UISearchController) {
      events.update(request: request(matching: search.searchBar.text ?? ""))  // the last call wins
    }

    private func select(_ id: Event.ID?) {
      guard let path = id.flatMap({ list.indexPath(for: $0) }) else { return }
      tableView.selectRow(at: path, animated: true, scrollPosition: .middle)
    }
  }
#endif
