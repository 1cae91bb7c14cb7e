#include "CZlibShim.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int64_t cz_gzip(const uint8_t *bytes, size_t count, uint8_t *target, size_t capacity, int level)
{
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
  if (compressor == NULL) return -1;
  size_t length = libdeflate_gzip_compress(compressor, bytes, count, target, capacity);
  libdeflate_free_compressor(compressor);
  return length == 0 ? -1 : (int64_t) length;
}

int64_t cz_deflate_part(const uint8_t *bytes, size_t count, uint8_t *target, size_t capacity)
{
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) return -1;
  stream.next_in = (Bytef *) bytes;
  stream.avail_in = (uInt) count;
  stream.next_out = target;
  stream.avail_out = (uInt) capacity;
  // Room that is left says that nothing waits to be written.
  int result = deflate(&stream, Z_FULL_FLUSH);
  int64_t length = result == Z_OK && stream.avail_out > 0 ? (int64_t) stream.total_out : -1;
  deflateEnd(&stream);
  return length;
}

struct cz_inflater {
  z_stream stream;
};

cz_inflater *cz_inflate_start(void)
{
  cz_inflater *inflater = calloc(1, sizeof *inflater);
  // A negative number of bits: bare, as in zip archives.
  if (inflater != NULL && inflateInit2(&inflater->stream, -15) != Z_OK) {
    free(inflater);
    return NULL;
  }
  return inflater;
}

void cz_inflate_end(cz_inflater *inflater)
{
  if (inflater == NULL) return;
  inflateEnd(&inflater->stream);
  free(inflater);
}

int cz_inflate(
  cz_inflater *inflater, const uint8_t *source, size_t source_count, uint8_t *target, size_t target_count,
  size_t *read, size_t *written)
{
  z_stream *stream = &inflater->stream;
  stream->next_in = (Bytef *) source;
  stream->avail_in = (uInt) source_count;
  stream->next_out = target;
  stream->avail_out = (uInt) target_count;
  int result = inflate(stream, Z_NO_FLUSH);
  *read = source_count - stream->avail_in;
  *written = target_count - stream->avail_out;
  if (result == Z_STREAM_END) return 1;
  // "No progress" is not damage: more bytes or more room are wanted.
  return result == Z_OK || result == Z_BUF_ERROR ? 0 : -1;
}
