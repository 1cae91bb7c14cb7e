#include "CAllocator.h"

#ifdef __linux__
#include <malloc.h>
#endif

size_t allocator_bytes_in_use(void) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  // Of all arenas; large blocks have memory of their own and are counted apart.
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
#else
  return 0;
#endif
}
