#if canImport(UIKit)
  import ListSources
  import ListSourcesApple
  public import LiveFetch
  public import UIKit

  /// A table view that shows the list of a controller.
  ///
  /// ```swift
  /// let list = TableViewList(tableView, showing: events) { view, path, event in cell(for: event, in: view, at: path) }
  /// list.headerTitle = { $0.text }
  /// list.start()
  /// ```
  ///
  /// It is the view's data source, and must be held by the app. This file can't be run where the library is tested: it only puts
  /// together what is, and is checked against stubs of UIKit.
  @MainActor
  public final class TableViewList<Model: FetchModel> {
    /// Dequeues the cell of a row and gives it its content.
    public typealias CellProvider = (UITableView, IndexPath, Model) -> UITableViewCell

    /// The controller of the list.
    public let controller: FetchController<Model>
    /// Takes each change when the view shows it; the first is the whole list.
    public var didChange: ((FetchChange<Model.ID>) -> Void)?
    /// Takes what goes wrong: the failures of changes, and why the list cannot be followed.
    public var failureHandler: ((any Error) -> Void)?

    private let target: TableViewTarget<FetchSectionID, Model.ID, Model>
    private let source: DiffableDataSource<TableViewTarget<FetchSectionID, Model.ID, Model>>
    private var following: Task<Void, Never>?

    /// Makes a list of a table view. It shows nothing before ``start()``.
    /// - Parameters:
    ///   - view: The view.
    ///   - controller: The controller of the list.
    ///   - cell: Dequeues a row's cell. A row whose object is gone gets an empty one.
    public init(_ view: UITableView, showing controller: FetchController<Model>, cell: @escaping CellProvider)
    {
      self.controller = controller
      target = TableViewTarget(view) { view, path, _, model in
        model.map { cell(view, path, $0) } ?? UITableViewCell()
      }
      source = DiffableDataSource(target: target) { id in controller.object(for: id) }
    }

    /// The title above a section, made of its identifier.
    public var headerTitle: ((FetchSectionID) -> String?)? {
      get { target.headerTitle }
      set { target.headerTitle = newValue }
    }

    /// The index path of a row, or nil if it is not shown.
    public func indexPath(for id: Model.ID) -> IndexPath? {
      source.indexPath(for: id).map { IndexPath(row: $0.item, section: $0.section) }
    }

    /// Shows the list and each change, until ``stop()`` or until the list ends.
    public func start() {
      guard following == nil else { return }
      following = Task { [weak self, changes = controller.changes] in
        do {
          for try await change in changes {
            guard let self else { return }
            await self.show(change)
          }
        } catch {
          self?.failureHandler?(error)
        }
        self?.following = nil
      }
    }

    /// Shows changes no longer.
    public func stop() {
      following?.cancel()
      following = nil
    }

    private func show(_ change: FetchChange<Model.ID>) async {
      for failure in change.failures { failureHandler?(failure) }
      await source.apply(change)
      didChange?(change)
    }

    deinit { following?.cancel() }
  }
#endif
