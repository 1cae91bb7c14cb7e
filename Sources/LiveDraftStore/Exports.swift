// Saving drafts is more of what a store does.
@_exported public import LiveStore
