#include "CVipsShim.h"

#include <sys/stat.h>

int64_t cs_file_size(const char *path)
{
  struct stat information;
  if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return -1;
  return (int64_t) information.st_size;
}
