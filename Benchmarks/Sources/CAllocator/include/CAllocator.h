#ifndef CALLOCATOR_H
#define CALLOCATOR_H

#include <stddef.h>

/// The bytes that the allocator has handed out and not got back, or 0 where it does not say.
size_t allocator_bytes_in_use(void);

#endif
