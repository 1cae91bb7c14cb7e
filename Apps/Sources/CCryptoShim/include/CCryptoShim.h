#ifndef CCRYPTO_SHIM_H
#define CCRYPTO_SHIM_H

// The parts of OpenSSL's libcrypto that ContactSheet uses, without a type of its own in sight, so that Swift can call them.

#include <stddef.h>
#include <stdint.h>

// The bytes of a SHA-256.
#define CC_SHA256_COUNT 32

// A SHA-256 that is being taken. Made by cc_sha256_start (NULL without memory), ended by cc_sha256_end.
typedef struct cc_sha256 cc_sha256;
cc_sha256 *cc_sha256_start(void);
void cc_sha256_end(cc_sha256 *hash);

// Takes more bytes in. Returns 0, or -1 where libcrypto refuses.
int cc_sha256_update(cc_sha256 *hash, const void *bytes, size_t count);

// Writes the hash of all bytes so far; none may follow. Returns 0, or -1 where libcrypto refuses.
int cc_sha256_finish(cc_sha256 *hash, uint8_t digest[CC_SHA256_COUNT]);

// Writes the code of a message under a key (HMAC with SHA-256). Returns 0, or -1 where libcrypto refuses.
int cc_hmac_sha256(
  const uint8_t *key, size_t key_count, const uint8_t *message, size_t message_count, uint8_t code[CC_SHA256_COUNT]);

// Derives a key from a password by scrypt (RFC 7914), with 2^log_rounds rounds. Takes 128 * 2^log_rounds * block_size bytes
// of memory meanwhile. Returns 0, or -1 without memory and for numbers that scrypt does not take.
int cc_scrypt(
  const char *password, size_t password_count, const uint8_t *salt, size_t salt_count, unsigned log_rounds,
  uint32_t block_size, uint32_t parallelism, uint8_t *key, size_t key_count);

#endif
