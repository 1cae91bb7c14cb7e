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

/// Called before each row is changed. `operation` is 18 for an insert, 9 for a delete, 23 for an update; `before` is the
/// row's number until then and `after` the one from then on, as far as there are such; in a table without rowids they say
/// nothing.
typedef void (*lists_hook)(void *context, int operation, const char *schema, const char *table, int64_t before,
                           int64_t after);

/// Installs the hook on a connection; NULL removes it.
/// Returns 0 when this SQLite was built without the hook, and 1 otherwise.
int lists_install_hook(void *connection, lists_hook hook, void *context);

/// The hook's behaviour that differs between versions of SQLite: how it numbers columns, and what it gives for those
/// that a stored row does not have. See `lists_find_conventions`.
typedef struct {
  /// Whether columns are counted as they are stored, without those that are computed when they are read, and not as the
  /// table declares them.
  int counts_stored_columns;
  /// Whether a column that was added after the row was stored has its default value, and not NULL.
  int gives_defaults;
} lists_conventions;

/// Finds out how this SQLite's hook behaves, by trying it in a database in memory. Returns 0 when that failed.
///
/// SQLite's documentation says nothing of either. Its source: a missing column was NULL until the check-in of 2024-09-18, “Fix
/// the preupdate hook so that it works when the old.* row has a column with a non-NULL default value that was added by ALTER
/// TABLE ADD COLUMN …”, which came with 3.47. Tried: in both respects 3.40.1 is of the old kind, 3.53.4 and 3.54.1 of the new.
int lists_find_conventions(lists_conventions *conventions);

// The journal: what the hook writes down of each row, to be made sense of at the commit. Nothing in it waits or counts
// references: between two rows SQLite's own reads and writes are still under way, and would be waited for as well.

typedef struct lists_journal lists_journal;

/// A row that was written down.
typedef struct {
  /// The number that its table is watched under.
  int table;
  int operation;
  /// The row's number after the change, or before it where it was deleted.
  int64_t rowid;
  /// Whether it has values: not where the row's columns are others than those that are watched.
  int has_values;
  /// The columns that an update changes or may change: bit n for column n, bit 63 for all from 63 on; all bits for an
  /// insert and a delete.
  uint64_t changed;
  /// The values of the watched columns; NULL where there are none. `type` is 0 for one that is not known.
  lists_value *before, *after;
} lists_row;

/// A column as the hook has it.
typedef struct {
  /// Its number in the row before a change, in an inserted row, and in an updated one; -1 where the hook does not have it.
  int before, inserted, updated;
  /// Whether it is the row's number. The hook is then not asked for it.
  int is_rowid;
  /// Whether it is stored, and the hook gives something else for it.
  int is_unknown;
  /// Whether a NULL may stand for another value, which the row did not have when it was stored.
  int may_be_default;
  /// Whether a whole number may come as a floating-point one, which above 2^53 is another number.
  int may_be_real;
  /// Whether it stores a number in the form in which it is given: 2 and 2.0 are two values then.
  int keeps_form;
} lists_hook_column;

/// Returns NULL where there is no memory.
lists_journal *lists_journal_make(void);
void lists_journal_free(lists_journal *journal);
/// Forgets the tables that are watched. All rows must have been read.
void lists_journal_forget_tables(lists_journal *journal);
/// Watches a table.
/// `all` are its `all_count` columns, in the order that the table declares; `columns` are the numbers of those whose values are
/// written down, the primary key first.
void lists_journal_watch(lists_journal *journal, int number, const char *name, const lists_hook_column *all, int all_count,
                         const int *columns, int count);
/// Writes down a row. Called within the hook.
/// Returns how many rows there are.
size_t lists_journal_note(lists_journal *journal, void *connection, int operation, const char *table, int64_t before,
                          int64_t after);
/// Reads the row at an offset, 0 at first, and advances the offset to the next row. What is read is valid until more is written down.
/// Returns 0 when there is none.
int lists_journal_next(lists_journal *journal, size_t *offset, lists_row *row);
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
/// Returns the first column of the statement's current row whose text has a zero byte; -1 when there is none.
int lists_find_zero_byte(void *statement);
void lists_reset(void *statement);
int lists_bind(void *statement, int parameter, const lists_value *value);
/// The number of values that a statement takes.
int lists_parameter_number(void *statement);
/// The number of columns that a statement's rows have.
int lists_column_number(void *statement);
/// Returns 1 if a column of a statement has that name, and 0 otherwise.
int lists_column_has_name(void *statement, int column, const char *name);
/// Returns the name of a column of a statement, which is valid until the statement is compiled again; NULL where there is no memory.
const char *lists_column_name(void *statement, int column);
/// Returns 1 if a schema is the main database's file, attached under another name, and 0 otherwise.
int lists_is_main_file(void *connection, const char *schema);
/// Returns 1 if a connection is in a transaction that a statement of its own has begun, and 0 otherwise.
int lists_is_in_transaction(void *connection);
/// Returns 1 if a connection may have rows that are written and not committed, and 0 otherwise.
int lists_is_writing(void *connection);
/// Runs a statement without results. Returns 0 when that worked.
int lists_execute(void *connection, const char *sql);

// Functions:

/// Computes a function of SQL and ends with `lists_return_text`, or without it for NULL.
typedef void (*lists_function)(void *context, const lists_value *arguments);

/// Adds a function that always gives the same result for the same arguments, of which it takes at most four.
/// Returns 0 when that worked.
int lists_add_function(void *connection, const char *name, int count, lists_function function);
void lists_return_text(void *context, const void *bytes, int count);

/// Returns the message of a connection's last error.
const char *lists_error_message(void *connection);
#endif
