#include "CZlibShim.h"

#include <zlib.h>

#if defined(__x86_64__)
#include <immintrin.h>

// Takes whole blocks of 16 bytes, at least four of them, into a CRC-32 without carries: Gopal and others, "Fast CRC
// Computation for Generic Polynomials Using PCLMULQDQ Instruction". The constants are those of the paper for the
// polynomial that zip uses, its bits in reverse: powers of x that lead over 512, 128 and 64 bits, and what Barrett's
// reduction needs.
__attribute__((target("pclmul,sse4.1")))
static uint32_t fold(uint32_t crc, const uint8_t *bytes, size_t count)
{
  const __m128i over512 = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  const __m128i over128 = _mm_set_epi64x(0x00ccaa009e, 0x01751997d0);
  const __m128i over64 = _mm_set_epi64x(0, 0x0163cd6124);
  const __m128i barrett = _mm_set_epi64x(0x01f7011641, 0x01db710641);
  const __m128i low = _mm_setr_epi32(~0, 0, ~0, 0);
  __m128i lanes[4];

  for (int i = 0; i < 4; i++) lanes[i] = _mm_loadu_si128((const __m128i *) bytes + i);
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int) crc));
  for (bytes += 64, count -= 64; count >= 64; bytes += 64, count -= 64) {
    for (int i = 0; i < 4; i++) {
      __m128i next = _mm_loadu_si128((const __m128i *) bytes + i);
      __m128i left = _mm_clmulepi64_si128(lanes[i], over512, 0x00);
      __m128i right = _mm_clmulepi64_si128(lanes[i], over512, 0x11);
      lanes[i] = _mm_xor_si128(_mm_xor_si128(left, right), next);
    }
  }
  __m128i rest = lanes[0];
  for (int i = 1; i < 4; i++) {
    __m128i left = _mm_clmulepi64_si128(rest, over128, 0x00);
    __m128i right = _mm_clmulepi64_si128(rest, over128, 0x11);
    rest = _mm_xor_si128(_mm_xor_si128(left, right), lanes[i]);
  }
  for (; count >= 16; bytes += 16, count -= 16) {
    __m128i left = _mm_clmulepi64_si128(rest, over128, 0x00);
    __m128i right = _mm_clmulepi64_si128(rest, over128, 0x11);
    rest = _mm_xor_si128(_mm_xor_si128(left, right), _mm_loadu_si128((const __m128i *) bytes));
  }
  rest = _mm_xor_si128(_mm_srli_si128(rest, 8), _mm_clmulepi64_si128(rest, over128, 0x10));
  __m128i upper = _mm_srli_si128(rest, 4);
  rest = _mm_xor_si128(_mm_clmulepi64_si128(_mm_and_si128(rest, low), over64, 0x00), upper);
  __m128i quotient = _mm_and_si128(_mm_clmulepi64_si128(_mm_and_si128(rest, low), barrett, 0x10), low);
  rest = _mm_xor_si128(rest, _mm_clmulepi64_si128(quotient, barrett, 0x00));
  return (uint32_t) _mm_extract_epi32(rest, 1);
}
#endif

uint32_t cz_crc32(uint32_t crc, const uint8_t *bytes, size_t count)
{
#if defined(__x86_64__)
  if (count >= 64 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("sse4.1")) {
    size_t whole = count & ~(size_t) 15;
    crc = ~fold(~crc, bytes, whole);
    bytes += whole;
    count -= whole;
  }
#endif
  return (uint32_t) crc32_z(crc, bytes, count);
}
