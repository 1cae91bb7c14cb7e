#include "CZlibShim.h"

#include <libdeflate.h>

// zlib's own takes a byte after the other through tables: exporting an album spent more time in it than in sending.
uint32_t cz_crc32(uint32_t crc, const uint8_t *bytes, size_t count)
{
  return libdeflate_crc32(crc, bytes, count);
}
