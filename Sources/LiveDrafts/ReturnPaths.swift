/// The steps of a stack with which the rows come back that a deletion has taken along.
struct ReturnPaths {
  var cause: DraftKey
  /// The deletion; nil where the stack has none.
  var deletion: DraftHistory.StepPath?
  private var paths: [DraftKey: DraftHistory.StepPath?] = [:]

  init(cause: DraftKey, deletion: DraftHistory.StepPath?) { (self.cause, self.deletion) = (cause, deletion) }

  /// The step with which a row comes back; nil where it is not known, or there is none.
  subscript(key: DraftKey) -> DraftHistory.StepPath? { paths[key] ?? nil }

  mutating func note(_ key: DraftKey, _ path: DraftHistory.StepPath?) { paths.updateValue(path, forKey: key) }

  /// The step that takes an effect back: the last one in which all rows are back by which the row went, but for those that come after it,
  /// as where a row refers to itself, or two do to each other.
  func path(of effect: OwnEffect) -> DraftHistory.StepPath? {
    let parents = effect.parents.filter { $0 != cause && paths.keys.contains($0) }
    let isDirect = parents.isEmpty || effect.parents.contains(cause)
    let needed = parents.map { self[$0] } + (isDirect ? [deletion] : [])
    return needed.contains(nil) ? nil : needed.compactMap(\.self).min()
  }
}
