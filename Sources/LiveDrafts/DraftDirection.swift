/// A direction in a draft's history.
enum DraftDirection: Sendable, CaseIterable {
  case undo, redo

  var opposite: Self { self == .undo ? .redo : .undo }

  /// The groups that are undone, or redone, the next one last.
  var stack: WritableKeyPath<DraftHistory, [HistoryGroup]> {
    switch self {
    case .undo: \.undo
    case .redo: \.redo
    }
  }
}
