// All of the library by one import.
@_exported public import Foundation
@_exported public import ListSources
@_exported public import ListStream
@_exported public import LiveDrafts
@_exported public import LiveFetch
@_exported public import LiveFetchSQLite
@_exported public import Snapshots

#if canImport(UIKit) || canImport(AppKit)
  @_exported public import ListSourcesApple
#endif

#if SQLite
  // A record of GRDB's is a model, and what is written is written through its `Database`.
  @_exported public import GRDB
#endif
