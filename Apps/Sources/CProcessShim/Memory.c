#define _GNU_SOURCE
#include "CProcessShim.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__linux__)
static int statm = -1;

void cs_prepare_memory_limit(void)
{
  if (statm < 0) statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
}

int cs_limit_memory(uint64_t more)
{
  char text[128];
  ssize_t count = statm < 0 ? -1 : pread(statm, text, sizeof text - 1, 0);
  if (count <= 0) return -1;
  text[count] = '\0';
  unsigned long long data = 0;
  // The sixth number: pages that are private and writable, which is what RLIMIT_DATA counts.
  if (sscanf(text, "%*s %*s %*s %*s %*s %llu", &data) != 1) return -1;
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) != 0) return -1;
  limit.rlim_cur = (rlim_t) data * (rlim_t) sysconf(_SC_PAGESIZE) + (rlim_t) more;
  if (limit.rlim_max != RLIM_INFINITY && limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_DATA, &limit);
}
#else
void cs_prepare_memory_limit(void) {}

int cs_limit_memory(uint64_t more)
{
  (void) more;
  return -1;
}
#endif

#if defined(__GLIBC__)
#include <malloc.h>

void cs_release_memory(void) { malloc_trim(0); }
#else
void cs_release_memory(void) {}
#endif
