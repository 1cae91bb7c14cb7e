// Models, policies and conflicts are part of the stores' contract, which this hands on; who edits imports one module for all.
@_exported public import LiveDraftStore
