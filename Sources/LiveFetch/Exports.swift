@_exported public import LiveStore
