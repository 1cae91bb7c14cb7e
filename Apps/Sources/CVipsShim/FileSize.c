#include "CVipsShim.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

int64_t cs_file_size(const char *path)
{
  struct stat information;
  if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return -1;
  return (int64_t) information.st_size;
}

int64_t cs_free_space(const char *path)
{
  struct statvfs information;
  if (statvfs(path, &information) != 0) return -1;
  uint64_t blocks = information.f_bavail, size = information.f_frsize;
  return size != 0 && blocks > INT64_MAX / size ? INT64_MAX : (int64_t) (blocks * size);
}

int cs_is_folder(const char *path)
{
  struct stat information;
  return lstat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

int cs_file_stamp(const char *path, int64_t *inode, int64_t *seconds, int64_t *nanoseconds)
{
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  *inode = (int64_t) status.st_ino;
#if defined(__APPLE__)
  *seconds = (int64_t) status.st_mtimespec.tv_sec;
  *nanoseconds = (int64_t) status.st_mtimespec.tv_nsec;
#else
  *seconds = (int64_t) status.st_mtim.tv_sec;
  *nanoseconds = (int64_t) status.st_mtim.tv_nsec;
#endif
  return 0;
}

int cs_file_mode(const char *path)
{
  struct stat status;
  // What a link leads to is not ours to change.
  if (lstat(path, &status) != 0 || S_ISLNK(status.st_mode)) return -1;
  return (int) (status.st_mode & 07777);
}
