#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

// The parts of zlib and libdeflate that ContactSheet uses, without a type of theirs in sight, so that Swift can call them.

#include <stddef.h>
#include <stdint.h>

// Compresses bytes as gzip does, at a level from 1, the fastest, to 12, the smallest. Returns the length of what was
// written to `target`, or -1 where `capacity` is too small; it never is with the count of the bytes plus 64 and a thousandth.
int64_t cz_gzip(const uint8_t *bytes, size_t count, uint8_t *target, size_t capacity, int level);

// Compresses bytes to a part of a bare deflate stream: it ends with a whole byte, refers to nothing before it and is not
// the stream's last, so that parts can be written one after the other. Returns as cz_gzip does.
int64_t cz_deflate_part(const uint8_t *bytes, size_t count, uint8_t *target, size_t capacity);

// A stream that undoes zip's "deflate". Made by cz_inflate_start (NULL without memory), ended by cz_inflate_end.
typedef struct cz_inflater cz_inflater;
cz_inflater *cz_inflate_start(void);
void cz_inflate_end(cz_inflater *inflater);

// Takes bytes in and gives bytes out, as far as both go. Tells how many were read and how many written.
// Returns 1 at the end of the stream, 0 where it goes on, -1 where the stream is damaged.
int cz_inflate(
  cz_inflater *inflater, const uint8_t *source, size_t source_count, uint8_t *target, size_t target_count,
  size_t *read, size_t *written);

// The CRC-32 of bytes that follow those whose CRC-32 is given; that of no bytes is 0.
uint32_t cz_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

#endif
