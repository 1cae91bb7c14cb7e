public import Foundation

#if canImport(Darwin)
  extension PredicateExpressions.StringLocalizedStandardContains: PredicatePart {
    func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
      try compiler.match(.contains, folded: true, root, other)
    }
  }
#else
  extension PredicateExpressions {
    /// `$0.title.localizedStandardContains("text")` in a `#Predicate`: a search without case and diacritics.
    ///
    /// Foundation has this expression on Apple's platforms alone.
    public struct FoldedContains<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// Whether the text was found.
      public typealias Output = Bool
      /// The text that is searched.
      public let root: Root
      /// The text that is looked for.
      public let other: Other

      /// Creates the expression.
      public init(root: Root, other: Other) {
        self.root = root
        self.other = other
      }

      /// Searches one text for the other, both folded as ``TextFolding`` does.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        FetchExpression.TextMatch.contains.evaluate(
          TextFolding.fold(String(try root.evaluate(bindings))),
          TextFolding.fold(String(try other.evaluate(bindings))))
      }
    }

    /// Builds the expression that the `#Predicate` macro makes of `localizedStandardContains`.
    public static func build_localizedStandardContains<Root, Other>(
      _ root: Root, _ other: Other
    ) -> FoldedContains<Root, Other> { .init(root: root, other: other) }
  }

  extension PredicateExpressions.FoldedContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
  extension PredicateExpressions.FoldedContains: Codable where Root: Codable, Other: Codable {}
  extension PredicateExpressions.FoldedContains: Sendable where Root: Sendable, Other: Sendable {}

  extension PredicateExpressions.FoldedContains: PredicatePart {
    func compile(_ compiler: inout PredicateCompiler) throws -> PredicateOperand {
      try compiler.match(.contains, folded: true, root, other)
    }
  }
#endif
