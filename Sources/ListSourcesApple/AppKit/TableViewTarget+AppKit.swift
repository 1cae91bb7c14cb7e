#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import ListSources
  public import Snapshots

  /// An `NSTableView` as the target of a data source of one section.
  ///
  /// It becomes the view's data source and must be held by the app; the view is held weakly. Items of further sections
  /// are not shown. This file can't be run where the library is tested: it is kept thin, and checked against stubs of
  /// AppKit.
  @MainActor
  public final class TableViewTarget<
    SectionID: Hashable & Sendable, ItemID: Hashable & Sendable, Content
  >: NSObject, NSTableViewDataSource {
    /// How rows come and go.
    public var rowAnimation: NSTableView.AnimationOptions = .effectFade
    /// The list as the view now counts it.
    public private(set) var shown = DiffableSnapshot<SectionID, ItemID>()

    private weak var view: NSTableView?
    private var provider: ItemProvider<ItemID, Content>?

    /// Makes a table view a target, and itself the view's data source. The view's delegate makes the cells, from
    /// ``content(ofRow:)``.
    public init(_ view: NSTableView) {
      self.view = view
      super.init()
      view.dataSource = self
    }

    /// Answers the view.
    public func numberOfRows(in tableView: NSTableView) -> Int { shown.sections.first?.items.count ?? 0 }

    /// The item in a row and its content, or `nil` if there is no such row.
    public func content(ofRow row: Int) -> (item: ItemID, content: Content?)? {
      guard let item = shown.itemIdentifier(at: ListIndexPath(item: row, section: 0)) else { return nil }
      let content = try? provider?.immediateContent(for: item)
      return (item, content ?? nil)
    }

    /// Reloads the view.
    public func reload(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
      guard let view else { throw ListTargetError.gone }
      provider = update.provider
      shown = update.snapshot
      view.reloadData()
    }

    /// Carries out a change row by row, as this view counts; a change of sections by reloading.
    public func perform(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
      guard let view else { throw ListTargetError.gone }
      let stages = update.stages()
      let keepsSections = stages.allSatisfy { stage in
        stage.batch.deletedSections.isEmpty && stage.batch.insertedSections.isEmpty
          && stage.batch.movedSections.isEmpty && stage.after.numberOfSections == 1
      }
      guard view.window != nil, keepsSections else { return try await reload(update) }
      provider = update.provider
      for stage in stages {
        view.beginUpdates()
        shown = stage.after
        let animation = update.isAnimated ? rowAnimation : []
        for operation in stage.batch.sequentialRowOperations() {
          switch operation {
          case .remove(let row): view.removeRows(at: IndexSet(integer: row), withAnimation: animation)
          case .insert(let row): view.insertRows(at: IndexSet(integer: row), withAnimation: animation)
          case .move(let from, let to): view.moveRow(at: from, to: to)
          }
        }
        view.endUpdates()
        let rows = (stage.batch.reloadedItems + stage.batch.reconfiguredItems).map(\.item)
        let all = stage.batch.reloadedSections.isEmpty ? IndexSet(rows) : IndexSet(0..<numberOfRows(in: view))
        view.reloadData(forRowIndexes: all, columnIndexes: IndexSet(0..<view.numberOfColumns))
      }
    }

    /// Takes over an order that the view shows already.
    public func adopt(_ update: ListUpdate<SectionID, ItemID, Content>) async throws {
      guard view != nil else { throw ListTargetError.gone }
      provider = update.provider
      shown = update.snapshot
    }
  }

  extension TableViewTarget: @MainActor ListTarget {}
#endif
