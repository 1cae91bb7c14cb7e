#include "CSQLiteHooks.h"

#if __has_include(<sqlite3.h>)
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
  int number;
  char *name;
  int column_count;
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
  for (int place = 0; place < journal->table_count; place++) {
    free(journal->tables[place].name);
    free(journal->tables[place].columns);
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

void lists_journal_watch(lists_journal *journal, int number, const char *name, int column_count, const int *columns,
                         int count) {
  lists_table table = {number, strdup(name), column_count, malloc((size_t)count * sizeof(int) + 1), count};
  lists_table *tables = realloc(journal->tables, (size_t)(journal->table_count + 1) * sizeof *tables);
  if (tables) journal->tables = tables;
  if (!tables || !table.name || !table.columns) {
    free(table.name);
    free(table.columns);
    journal->is_incomplete = 1;
    return;
  }
  memcpy(table.columns, columns, (size_t)count * sizeof(int));
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
static int lists_add(lists_journal *journal, size_t place, const lists_value *value, size_t *offset) {
  size_t extent = lists_extent(value);
  if (!lists_room(journal, *offset + extent)) return 0;
  char *entry = journal->bytes + journal->used;
  memcpy(entry + sizeof(lists_entry) + place * sizeof *value, value, sizeof *value);
  if (extent && value->count) memcpy(entry + *offset, value->bytes, (size_t)value->count);
  *offset += extent;
  return 1;
}

static void lists_note(lists_journal *journal, const lists_table *table, void *connection, int operation,
                       int64_t rowid) {
  lists_entry entry = {0, {table->number, operation, rowid, 0, UINT64_MAX, 0, 0}, 0, 0, 0};
  entry.row.has_values = sqlite3_preupdate_count(connection) == table->column_count;
  int is_update = operation == SQLITE_UPDATE;
  if (entry.row.has_values && is_update) {
    entry.row.changed = lists_changed_columns(connection);
    if (!entry.row.changed) return;
  }
  // What an update leaves as it is need not be said twice.
  entry.has_before = entry.row.has_values && operation != SQLITE_INSERT;
  entry.has_after = entry.row.has_values && operation == SQLITE_INSERT;
  for (int place = 0; entry.row.has_values && is_update && place < table->count; place++) {
    int column = table->columns[place];
    if (entry.row.changed >> (column < 63 ? column : 63) & 1) entry.has_after = 1;
  }
  entry.count = (entry.has_before + entry.has_after) * table->count;
  size_t offset = sizeof entry + (size_t)entry.count * sizeof(lists_value);
  int is_noted = lists_room(journal, offset) != 0;
  for (int place = 0; is_noted && place < entry.count; place++) {
    lists_value value = {0};
    int column = table->columns[place % table->count];
    int is_old = entry.has_before && place < table->count;
    if (!(is_old ? lists_old_value(connection, column, &value) : lists_new_value(connection, column, &value))) {
      value.type = 0;
    }
    is_noted = lists_add(journal, (size_t)place, &value, &offset);
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

size_t lists_journal_note(lists_journal *journal, void *connection, int operation, const char *table, int64_t rowid) {
  for (int place = 0; place < journal->table_count; place++) {
    if (strcasecmp(journal->tables[place].name, table) == 0) {
      lists_note(journal, &journal->tables[place], connection, operation, rowid);
    }
  }
  return journal->rows;
}

int lists_journal_next(lists_journal *journal, size_t *place, lists_row *row) {
  if (*place >= journal->used) return 0;
  char *start = journal->bytes + *place;
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
  *place += entry->size;
  return 1;
}

int lists_journal_is_incomplete(const lists_journal *journal) { return journal->is_incomplete; }

void lists_journal_clear(lists_journal *journal) {
  journal->used = 0;
  journal->rows = 0;
  journal->is_incomplete = 0;
}
#endif
