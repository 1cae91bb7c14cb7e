#define _GNU_SOURCE
#include "CProcessShim.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>

static uint64_t current(int failure, const struct rlimit *limit)
{
  return failure != 0 || limit->rlim_cur == RLIM_INFINITY ? UINT64_MAX : (uint64_t) limit->rlim_cur;
}

uint64_t cs_address_space_limit(void)
{
  struct rlimit limit;
  int failure = getrlimit(RLIMIT_AS, &limit);
  return current(failure, &limit);
}

uint64_t cs_data_limit(void)
{
  struct rlimit limit;
  int failure = getrlimit(RLIMIT_DATA, &limit);
  return current(failure, &limit);
}

uint64_t cs_open_file_limit(void)
{
  struct rlimit limit;
  int failure = getrlimit(RLIMIT_NOFILE, &limit);
  return current(failure, &limit);
}

uint64_t cs_file_size_limit(void)
{
  struct rlimit limit;
  int failure = getrlimit(RLIMIT_FSIZE, &limit);
  return current(failure, &limit);
}

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

// Lives until the gate opens, so that all of them are there at the same time.
static void *wait_at_gate(void *nothing)
{
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return nothing;
}

int cs_can_start_threads(size_t count)
{
  pthread_t *threads = calloc(count, sizeof *threads);
  if (!threads) return 0;
  size_t started = 0;
  pthread_mutex_lock(&gate);
  while (started < count && pthread_create(&threads[started], NULL, wait_at_gate, NULL) == 0) started++;
  pthread_mutex_unlock(&gate);
  for (size_t at = 0; at < started; at++) pthread_join(threads[at], NULL);
  free(threads);
  return started == count;
}
