#if canImport(UIKit) || canImport(AppKit)
  public import Snapshots
  #if canImport(UIKit)
    public import UIKit
  #else
    public import AppKit
  #endif

  extension IndexPath {
    /// The same place as an index path of Apple's views.
    public init(_ path: ListIndexPath) { self.init(item: path.item, section: path.section) }
  }

  extension ListIndexPath {
    /// The same place as one of ours.
    public init(_ path: IndexPath) { self.init(item: path.item, section: path.section) }
  }
#endif
