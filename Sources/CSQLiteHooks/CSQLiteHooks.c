#include "CSQLiteValues.h"

// Without SQLite's header there is nothing to hook into: the module is then empty, and nothing uses it.
#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#include <string.h>

typedef struct {
  lists_hook hook;
  void *context;
} lists_registration;

static void lists_preupdate(void *context, sqlite3 *connection, int operation, char const *schema,
                            char const *table, sqlite3_int64 before, sqlite3_int64 after) {
  (void)connection;
  lists_registration *registration = context;
  registration->hook(registration->context, operation, schema, table, before, after);
}

int lists_install_hook(void *connection, lists_hook hook, void *context) {
  lists_registration *registration = 0;
  if (hook) {
    registration = sqlite3_malloc(sizeof *registration);
    if (!registration) return 0;
    registration->hook = hook;
    registration->context = context;
  }
  sqlite3_free(sqlite3_preupdate_hook(connection, hook ? lists_preupdate : 0, registration));
  return 1;
}

int lists_take(sqlite3_value *source, lists_value *value) {
  if (!source) return 0;
  value->type = sqlite3_value_type(source);
  value->bytes = 0;
  value->count = 0;
  switch (value->type) {
    case SQLITE_INTEGER: value->integer = sqlite3_value_int64(source); break;
    case SQLITE_FLOAT: value->real = sqlite3_value_double(source); break;
    case SQLITE_TEXT:
      value->bytes = sqlite3_value_text(source);
      value->count = sqlite3_value_bytes(source);
      break;
    case SQLITE_BLOB:
      value->bytes = sqlite3_value_blob(source);
      value->count = sqlite3_value_bytes(source);
      break;
    default: break;
  }
  return 1;
}

/// The hook of the trial in `lists_find_conventions`: writes down the integers in the first three columns of a deleted
/// row.
static void lists_try(void *context, sqlite3 *connection, int operation, char const *schema, char const *table,
                      sqlite3_int64 before, sqlite3_int64 after) {
  (void)schema, (void)table, (void)before, (void)after;
  if (operation != SQLITE_DELETE) return;
  for (int column = 0; column < 3; column++) {
    sqlite3_value *value = 0;
    if (sqlite3_preupdate_old(connection, column, &value) == SQLITE_OK && value) {
      ((int *)context)[column] = sqlite3_value_int(value);
    }
  }
}

int lists_find_conventions(lists_conventions *conventions) {
  int seen[3] = {0, 0, 0};
  sqlite3 *connection = 0;
  int code = sqlite3_open_v2(":memory:", &connection, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 0);
  if (code == SQLITE_OK) {
    sqlite3_preupdate_hook(connection, lists_try, seen);
    code = sqlite3_exec(connection,
                        "CREATE TABLE t (computed AS (1) VIRTUAL, stored); INSERT INTO t (stored) VALUES (7);"
                        "ALTER TABLE t ADD COLUMN later DEFAULT 9; DELETE FROM t",
                        0, 0, 0);
  }
  sqlite3_close(connection);
  conventions->counts_stored_columns = seen[0] == 7;
  conventions->gives_defaults = seen[seen[0] == 7 ? 1 : 2] == 9;
  return code == SQLITE_OK && (seen[0] == 7 || seen[1] == 7);
}

void lists_reset(void *statement) {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

int lists_bind(void *statement, int parameter, const lists_value *value) {
  switch (value->type) {
    case SQLITE_INTEGER: return sqlite3_bind_int64(statement, parameter, value->integer);
    case SQLITE_FLOAT: return sqlite3_bind_double(statement, parameter, value->real);
    case SQLITE_TEXT:
      return sqlite3_bind_text(statement, parameter, value->bytes ? value->bytes : "", value->count, SQLITE_TRANSIENT);
    case SQLITE_BLOB:
      return value->count ? sqlite3_bind_blob(statement, parameter, value->bytes, value->count, SQLITE_TRANSIENT)
                          : sqlite3_bind_zeroblob(statement, parameter, 0);
    default: return sqlite3_bind_null(statement, parameter);
  }
}

int lists_find_zero_byte(void *statement) {
  int count = sqlite3_data_count(statement);
  for (int column = 0; column < count; column++) {
    if (sqlite3_column_type(statement, column) != SQLITE_TEXT) continue;
    const void *text = sqlite3_column_text(statement, column);
    if (text && memchr(text, 0, (size_t)sqlite3_column_bytes(statement, column))) return column;
  }
  return -1;
}

void lists_column(void *statement, int column, lists_value *value) {
  value->type = sqlite3_column_type(statement, column);
  switch (value->type) {
    case SQLITE_INTEGER: value->integer = sqlite3_column_int64(statement, column); break;
    case SQLITE_FLOAT: value->real = sqlite3_column_double(statement, column); break;
    case SQLITE_TEXT:
      value->bytes = sqlite3_column_text(statement, column);
      value->count = sqlite3_column_bytes(statement, column);
      break;
    case SQLITE_BLOB:
      value->bytes = sqlite3_column_blob(statement, column);
      value->count = sqlite3_column_bytes(statement, column);
      break;
    default: break;
  }
}

int lists_step_row(void *statement, lists_value *values, int count) {
  int code = sqlite3_step(statement);
  if (code != SQLITE_ROW) return code;
  for (int column = 0; column < count; column++) lists_column(statement, column, &values[column]);
  return code;
}

int lists_column_has_name(void *statement, int column, const char *name) {
  const char *found = sqlite3_column_name(statement, column);
  return found && strcmp(found, name) == 0;
}

const char *lists_column_name(void *statement, int column) { return sqlite3_column_name(statement, column); }

int lists_is_main_file(void *connection, const char *schema) {
  const char *main = sqlite3_db_filename(connection, "main"), *other = sqlite3_db_filename(connection, schema);
  return main && other && *main && strcmp(main, other) == 0;
}

int lists_is_in_transaction(void *connection) { return !sqlite3_get_autocommit(connection); }

int lists_is_writing(void *connection) {
  if (!sqlite3_get_autocommit(connection)) return 1;
  for (sqlite3_stmt *statement = sqlite3_next_stmt(connection, 0); statement;
       statement = sqlite3_next_stmt(connection, statement)) {
    if (sqlite3_stmt_busy(statement) && !sqlite3_stmt_readonly(statement)) return 1;
  }
  return 0;
}

int lists_execute(void *connection, const char *sql) { return sqlite3_exec(connection, sql, 0, 0, 0); }

static void lists_call(sqlite3_context *context, int count, sqlite3_value **arguments) {
  lists_value values[4];
  if (count > 4) return;
  for (int index = 0; index < count; index++) lists_take(arguments[index], &values[index]);
  // A function's own data is a pointer to a function, which C does not turn into one to data by itself.
  lists_function function;
  void *data = sqlite3_user_data(context);
  memcpy(&function, &data, sizeof function);
  function(context, values);
}

int lists_add_function(void *connection, const char *name, int count, lists_function function) {
  void *data;
  memcpy(&data, &function, sizeof data);
  return sqlite3_create_function_v2(connection, name, count, SQLITE_UTF8 | SQLITE_DETERMINISTIC, data, lists_call, 0, 0,
                                    0);
}

void lists_return_text(void *context, const void *bytes, int count) {
  sqlite3_result_text(context, count ? bytes : "", count, SQLITE_TRANSIENT);
}

int lists_parameter_number(void *statement) { return sqlite3_bind_parameter_count(statement); }

int lists_column_number(void *statement) { return sqlite3_column_count(statement); }

const char *lists_error_message(void *connection) { return sqlite3_errmsg(connection); }
#endif
