#ifndef CSQLITE_VALUES_H
#define CSQLITE_VALUES_H

#include "CSQLiteHooks.h"

struct sqlite3_value;

/// Takes a value of SQLite's, whose bytes are valid for as long as it is. Returns 0 when there is none.
int lists_take(struct sqlite3_value *source, lists_value *value);

#endif
