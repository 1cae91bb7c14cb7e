// Models, policies and conflicts are part of the stores' contract; who edits imports one module for both.
@_exported public import LiveStore
