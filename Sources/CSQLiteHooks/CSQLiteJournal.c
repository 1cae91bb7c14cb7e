#include "CSQLiteValues.h"

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  int number;
  char *name;
  lists_hook_column *all;
  int all_count;
  int *columns;
  int count;
} lists_table;

// A row's entry is a header, its values, and the bytes of those that have some, each filled up to eight.
typedef struct {
  size_t size;
  lists_row row;
  /// Whether the values of before and of after are there. Pointers to them are made when the entry is read.
  int has_before, has_after;
  int count;
} lists_entry;

struct lists_journal {
  lists_table *tables;
  int table_count;
  char *bytes;
  size_t used, capacity, rows;
  int is_incomplete;
};

lists_journal *lists_journal_make(void) { return calloc(1, sizeof(lists_journal)); }

void lists_journal_forget_tables(lists_journal *journal) {
  for (int index = 0; index < journal->table_count; index++) {
    free(journal->tables[index].name);
    free(journal->tables[index].all);
    free(journal->tables[index].columns);
  }
  free(journal->tables);
  journal->tables = 0;
  journal->table_count = 0;
}

void lists_journal_free(lists_journal *journal) {
  if (!journal) return;
  lists_journal_forget_tables(journal);
  free(journal->bytes);
  free(journal);
}

static void *lists_copy(const void *bytes, size_t size) {
  void *copy = malloc(size + 1);
  if (copy && size) memcpy(copy, bytes, size);
  return copy;
}

void lists_journal_watch(lists_journal *journal, int number, const char *name, const lists_hook_column *all, int all_count,
                         const int *columns, int count) {
  lists_table table = {number, strdup(name), lists_copy(all, (size_t)all_count * sizeof *all), all_count,
                       lists_copy(columns, (size_t)count * sizeof *columns), count};
  lists_table *tables = realloc(journal->tables, (size_t)(journal->table_count + 1) * sizeof *tables);
  if (tables) journal->tables = tables;
  if (!tables || !table.name || !table.all || !table.columns) {
    free(table.name);
    free(table.all);
    free(table.columns);
    journal->is_incomplete = 1;
    return;
  }
  tables[journal->table_count++] = table;
}

static size_t lists_filled(size_t size) { return (size + 7) & ~(size_t)7; }

static size_t lists_extent(const lists_value *value) {
  return value->type == SQLITE_TEXT || value->type == SQLITE_BLOB ? lists_filled((size_t)value->count) : 0;
}

/// Room for so many bytes behind those that are used, which may move them; NULL where there is no memory.
static char *lists_room(lists_journal *journal, size_t size) {
  if (journal->capacity - journal->used < size) {
    size_t capacity = (journal->capacity + size) * 2 + 4096;
    char *bytes = realloc(journal->bytes, capacity);
    if (!bytes) return 0;
    journal->bytes = bytes;
    journal->capacity = capacity;
  }
  return journal->bytes + journal->used;
}

/// Adds a value to the entry that is being written, `offset` being where the bytes of values end so far.
static int lists_add(lists_journal *journal, size_t index, const lists_value *value, size_t *offset) {
  size_t extent = lists_extent(value);
  if (!lists_room(journal, *offset + extent)) return 0;
  char *entry = journal->bytes + journal->used;
  memcpy(entry + sizeof(lists_entry) + index * sizeof *value, value, sizeof *value);
  if (extent && value->count) memcpy(entry + *offset, value->bytes, (size_t)value->count);
  *offset += extent;
  return 1;
}

/// The change that the hook was called for.
typedef struct {
  sqlite3 *connection;
  int operation;
  int64_t before, after;
} lists_change;

/// Above this there are whole numbers that floating-point ones do not distinguish.
static const double lists_most_exact = 9007199254740992.0;

static int lists_is_whole(double real) {
  return real > -lists_most_exact && real < lists_most_exact && (double)(int64_t)real == real;
}

/// The value of a column before or after a change; its type is 0 where it is not known.
static lists_value lists_value_of(const lists_change *change, const lists_hook_column *column, int is_old) {
  lists_value value = {0};
  if (column->is_rowid) {
    value.type = SQLITE_INTEGER;
    value.integer = is_old ? change->before : change->after;
    return value;
  }
  sqlite3_value *source = 0;
  int is_update = change->operation == SQLITE_UPDATE;
  int index = is_old ? column->before : is_update ? column->updated : column->inserted;
  int code = index < 0  ? SQLITE_RANGE
             : is_old   ? sqlite3_preupdate_old(change->connection, index, &source)
                        : sqlite3_preupdate_new(change->connection, index, &source);
  if (code != SQLITE_OK || !lists_take(source, &value)) return value;
  if (is_old && column->may_be_default && value.type == SQLITE_NULL) value.type = 0;
  if (is_old && column->may_be_real && value.type == SQLITE_FLOAT) {
    if (lists_is_whole(value.real)) {
      value.type = SQLITE_INTEGER;
      value.integer = (int64_t)value.real;
    } else if (value.real >= lists_most_exact || value.real <= -lists_most_exact) {
      value.type = 0;
    }
  }
  return value;
}

static int lists_is_same(const lists_hook_column *column, const lists_value *a, const lists_value *b) {
  if (!a->type || !b->type) return 0;
  // A whole number in a column of floating-point numbers may be seen in either form. It is another value in one that keeps it.
  if (a->type <= 2 && b->type <= 2 && a->type != b->type) {
    if (column->keeps_form) return 0;
    double real = a->type == SQLITE_FLOAT ? a->real : b->real;
    int64_t integer = a->type == SQLITE_FLOAT ? b->integer : a->integer;
    return lists_is_whole(real) && (int64_t)real == integer;
  }
  if (a->type != b->type) return 0;
  switch (a->type) {
    case SQLITE_INTEGER: return a->integer == b->integer;
    case SQLITE_FLOAT: return memcmp(&a->real, &b->real, sizeof a->real) == 0;
    case SQLITE_NULL: return 1;
    default: return a->count == b->count && (a->count == 0 || memcmp(a->bytes, b->bytes, (size_t)a->count) == 0);
  }
}

static uint64_t lists_bit(int column) { return (uint64_t)1 << (column < 63 ? column : 63); }

/// The columns that an update changes or may change; none where it changes nothing.
static uint64_t lists_changed_columns(const lists_change *change, const lists_table *table) {
  uint64_t changed = 0, computed = 0;
  for (int column = 0; column < table->all_count; column++) {
    // What is computed when it is read changes with something else only.
    if (table->all[column].before < 0 && !table->all[column].is_unknown) {
      computed |= lists_bit(column);
      continue;
    }
    // As the hook gives it: made a whole number, it would not show which of the two it was.
    lists_hook_column given = table->all[column];
    if (given.keeps_form) given.may_be_real = 0;
    lists_value before = lists_value_of(change, &given, 1);
    lists_value after = lists_value_of(change, &given, 0);
    int is_either = given.keeps_form && table->all[column].may_be_real && before.type == SQLITE_FLOAT &&
                    lists_is_whole(before.real);
    if (is_either || !lists_is_same(&given, &before, &after)) changed |= lists_bit(column);
  }
  return changed ? changed | computed : 0;
}

static void lists_note(lists_journal *journal, const lists_table *table, lists_change change) {
  int64_t rowid = change.operation == SQLITE_DELETE ? change.before : change.after;
  lists_entry entry = {0, {table->number, change.operation, rowid, 0, UINT64_MAX, 0, 0}, 0, 0, 0};
  entry.row.has_values = sqlite3_preupdate_count(change.connection) == table->all_count;
  int is_update = change.operation == SQLITE_UPDATE, is_blob = 0;
#if SQLITE_VERSION_NUMBER >= 3036000
  // Bytes that are written into a stored value come as a deletion, and with no value after.
  is_blob = change.operation == SQLITE_DELETE && sqlite3_preupdate_blobwrite(change.connection) >= 0;
#endif
  if (is_blob) entry.row.operation = SQLITE_UPDATE;
  if (is_blob && table->count) entry.row.changed = ~lists_bit(table->columns[0]);
  if (entry.row.has_values && is_update) {
    entry.row.changed = lists_changed_columns(&change, table);
    if (!entry.row.changed) return;
  }
  // What an update leaves as it is need not be said twice.
  entry.has_before = entry.row.has_values && change.operation != SQLITE_INSERT;
  entry.has_after = entry.row.has_values && (change.operation == SQLITE_INSERT || is_blob);
  for (int index = 0; entry.row.has_values && is_update && index < table->count; index++) {
    if (entry.row.changed & lists_bit(table->columns[index])) entry.has_after = 1;
  }
  entry.count = (entry.has_before + entry.has_after) * table->count;
  size_t offset = sizeof entry + (size_t)entry.count * sizeof(lists_value);
  int is_noted = lists_room(journal, offset) != 0;
  for (int index = 0; is_noted && index < entry.count; index++) {
    const lists_hook_column *column = &table->all[table->columns[index % table->count]];
    int is_old = entry.has_before && index < table->count;
    lists_value value = {0};
    if (is_old || !is_blob) value = lists_value_of(&change, column, is_old);
    is_noted = lists_add(journal, (size_t)index, &value, &offset);
  }
  if (!is_noted) {
    journal->is_incomplete = 1;
    return;
  }
  entry.size = offset;
  memcpy(journal->bytes + journal->used, &entry, sizeof entry);
  journal->used += offset;
  journal->rows++;
}

size_t lists_journal_note(lists_journal *journal, void *connection, int operation, const char *table, int64_t before,
                          int64_t after) {
  for (int index = 0; index < journal->table_count; index++) {
    if (sqlite3_stricmp(journal->tables[index].name, table) == 0) {
      lists_note(journal, &journal->tables[index], (lists_change){connection, operation, before, after});
    }
  }
  return journal->rows;
}

int lists_journal_next(lists_journal *journal, size_t *offset, lists_row *row) {
  if (*offset >= journal->used) return 0;
  char *start = journal->bytes + *offset;
  lists_entry *entry = (lists_entry *)(void *)start;
  lists_value *values = (lists_value *)(void *)(start + sizeof *entry);
  char *bytes = (char *)(values + entry->count);
  for (int number = 0; number < entry->count; number++) {
    size_t extent = lists_extent(&values[number]);
    if (values[number].type == SQLITE_TEXT || values[number].type == SQLITE_BLOB) values[number].bytes = bytes;
    bytes += extent;
  }
  *row = entry->row;
  row->before = entry->has_before ? values : 0;
  // Where both are there each has half of the values.
  row->after = entry->has_after ? values + (entry->has_before ? entry->count / 2 : 0) : 0;
  *offset += entry->size;
  return 1;
}

int lists_journal_is_incomplete(const lists_journal *journal) { return journal->is_incomplete; }

void lists_journal_clear(lists_journal *journal) {
  journal->used = 0;
  journal->rows = 0;
  journal->is_incomplete = 0;
}
#endif
