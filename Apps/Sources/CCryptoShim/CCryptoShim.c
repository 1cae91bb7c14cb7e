#include "CCryptoShim.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

static EVP_MD_CTX *context(cc_sha256 *hash) { return (EVP_MD_CTX *)hash; }

cc_sha256 *cc_sha256_start(void) {
  EVP_MD_CTX *made = EVP_MD_CTX_new();
  if (made && EVP_DigestInit_ex(made, EVP_sha256(), NULL) != 1) {
    EVP_MD_CTX_free(made);
    return NULL;
  }
  return (cc_sha256 *)made;
}

void cc_sha256_end(cc_sha256 *hash) { EVP_MD_CTX_free(context(hash)); }

int cc_sha256_update(cc_sha256 *hash, const void *bytes, size_t count) {
  return EVP_DigestUpdate(context(hash), bytes, count) == 1 ? 0 : -1;
}

int cc_sha256_finish(cc_sha256 *hash, uint8_t digest[CC_SHA256_COUNT]) {
  return EVP_DigestFinal_ex(context(hash), digest, NULL) == 1 ? 0 : -1;
}

int cc_hmac_sha256(
  const uint8_t *key, size_t key_count, const uint8_t *message, size_t message_count, uint8_t code[CC_SHA256_COUNT]) {
  if (key_count > INT_MAX) return -1;
  return HMAC(EVP_sha256(), key, (int)key_count, message, message_count, code, NULL) ? 0 : -1;
}

int cc_scrypt(
  const char *password, size_t password_count, const uint8_t *salt, size_t salt_count, unsigned log_rounds,
  uint32_t block_size, uint32_t parallelism, uint8_t *key, size_t key_count) {
  if (log_rounds >= 32) return -1;
  uint64_t rounds = (uint64_t)1 << log_rounds;
  // libcrypto refuses to take more than it is allowed: here, what these numbers need.
  uint64_t memory = 128 * (uint64_t)block_size * (rounds + parallelism + 2);
  int derived = EVP_PBE_scrypt(
    password, password_count, salt, salt_count, rounds, block_size, parallelism, memory, key, key_count);
  return derived == 1 ? 0 : -1;
}
