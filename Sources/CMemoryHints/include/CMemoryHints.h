#ifndef CMEMORYHINTS_H
#define CMEMORYHINTS_H

#include <stddef.h>
#include <stdint.h>

// Swift has no way to say that memory will soon be read. A plain load that is done early will not do: the
// processor cannot go on past it for long, where a hint costs nothing if memory is slow to answer.

/// Asks for some bytes, which need not be readable.
static inline void hints_prefetch(void const *start, size_t length) {
  for (size_t offset = 0; offset < length; offset += 64) {
    __builtin_prefetch((char const *)start + offset);
  }
}

/// Asks for the first bytes of objects, to be written to.
static inline void hints_prefetch_objects(void const *objects, size_t count) {
  for (size_t index = 0; index < count; index += 1) {
    __builtin_prefetch(((void const *const *)objects)[index], 1);
  }
}

/// Asks for the elements of four bytes that have these numbers, of which only the bits of a mask count.
static inline void hints_prefetch_elements(void const *start, uint32_t const *numbers, size_t count, size_t mask) {
  for (size_t index = 0; index < count; index += 1) {
    __builtin_prefetch((char const *)start + ((numbers[index] & mask) << 2));
  }
}

#endif
