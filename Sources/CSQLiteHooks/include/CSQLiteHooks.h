#ifndef CSQLITE_HOOKS_H
#define CSQLITE_HOOKS_H

#include <stddef.h>
#include <stdint.h>

// What Swift cannot reach of SQLite by itself: the pre-update hook, and columns without a copy. No type of
// SQLite's own appears here, so that nobody has to import it to use this header. Connections and statements are
// handed over as plain pointers, and are used on the thread that owns them.

/// A value of a row. `type` is SQLite's own number: 1 integer, 2 real, 3 text, 4 blob, 5 null.
typedef struct {
  int type;
  int64_t integer;
  double real;
  /// Text or bytes, valid until the statement or the hook goes on.
  const void *bytes;
  int count;
} lists_value;

/// Called before each row is changed. `operation` is 18 for an insert, 9 for a delete, 23 for an update; `rowid` is what the
/// row will then have, or had if it is deleted, and says nothing in a table without rowids.
typedef void (*lists_hook)(void *context, int operation, const char *schema, const char *table, int64_t rowid);

/// Installs the hook on a connection; NULL removes it.
/// Returns 0 when this SQLite was built without the hook, and 1 otherwise.
int lists_install_hook(void *connection, lists_hook hook, void *context);

// Within the hook:

/// The number of columns of the row.
int lists_column_count(void *connection);
/// The value of a column before the change. Returns 0 when there is none.
int lists_old_value(void *connection, int column, lists_value *value);
/// The value of a column after the change. Returns 0 when there is none.
int lists_new_value(void *connection, int column, lists_value *value);
/// The columns that an update changes: bit n for column n, bit 63 for all from 63 on.
uint64_t lists_changed_columns(void *connection);

// The journal: what the hook writes down of each row, to be made sense of at the commit. Nothing in it waits or counts
// references: between two rows SQLite's own reads and writes are still under way, and would be waited for as well.

typedef struct lists_journal lists_journal;

/// A row that was written down.
typedef struct {
  /// The number that its table is watched under.
  int table;
  int operation;
  /// As the hook was told.
  int64_t rowid;
  /// Whether it has values: not where the row's columns are others than those that are watched.
  int has_values;
  /// The columns that an update changes, as `lists_changed_columns` says; all bits for an insert and a delete.
  uint64_t changed;
  /// The values of the watched columns; NULL where there are none. `type` is 0 for one that could not be had.
  lists_value *before, *after;
} lists_row;

/// Returns NULL where there is no memory.
lists_journal *lists_journal_make(void);
void lists_journal_free(lists_journal *journal);
/// Forgets the tables that are watched. All rows must have been read.
void lists_journal_forget_tables(lists_journal *journal);
/// Watches a table.
/// `column_count` is how many columns its rows have; `columns` those whose values are written down.
void lists_journal_watch(lists_journal *journal, int number, const char *name, int column_count, const int *columns,
                         int count);
/// Writes down a row. Called within the hook.
/// Returns how many rows there are.
size_t lists_journal_note(lists_journal *journal, void *connection, int operation, const char *table, int64_t rowid);
/// Reads the row at a place, 0 at first, and goes on to the next. What is read is valid until more is written down.
/// Returns 0 when there is none.
int lists_journal_next(lists_journal *journal, size_t *place, lists_row *row);
/// Whether a row or a table could not be written down, for want of memory.
int lists_journal_is_incomplete(const lists_journal *journal);
/// Forgets the rows.
void lists_journal_clear(lists_journal *journal);

// Statements:

/// Goes to the next row and takes the values of its first columns, which are valid until the statement goes on.
/// Returns 100 when there is a row, 101 when there is none, and an error code otherwise.
int lists_step_row(void *statement, lists_value *values, int count);
/// Takes the value of a column of the row that a statement is at.
void lists_column(void *statement, int column, lists_value *value);
void lists_reset(void *statement);
int lists_bind(void *statement, int parameter, const lists_value *value);
/// The number of columns that a statement's rows have.
int lists_column_number(void *statement);
/// Runs a statement without results. Returns 0 when that worked.
int lists_execute(void *connection, const char *sql);

// Functions:

/// Computes a function of SQL and ends with `lists_return_text`, or without it for NULL.
typedef void (*lists_function)(void *context, const lists_value *arguments);

/// Adds a function that always gives the same result for the same arguments, of which it takes at most four.
/// Returns 0 when that worked.
int lists_add_function(void *connection, const char *name, int count, lists_function function);
void lists_return_text(void *context, const void *bytes, int count);

/// What a connection says of its last error.
const char *lists_error_message(void *connection);
#endif
