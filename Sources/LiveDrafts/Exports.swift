// Models, policies and conflicts are part of the stores' contract; who edits imports one module for all.
@_exported public import LiveDraftStore
@_exported public import LiveStore
