#if canImport(UIKit) || canImport(AppKit)
  public import Snapshots
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension IndexPath {
    /// Creates an index path of Apple's views from a list index path.
    public init(_ path: ListIndexPath) { self.init(item: path.item, section: path.section) }
  }

  extension ListIndexPath {
    /// Creates a list index path from one of Apple's views.
    public init(_ path: IndexPath) { self.init(item: path.item, section: path.section) }
  }
#endif
