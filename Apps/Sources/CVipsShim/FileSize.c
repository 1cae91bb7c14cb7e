#include "CVipsShim.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

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
  // Not f_bfree: some blocks are kept for the system's administrator, and some for the file system itself.
  uint64_t blocks = information.f_bavail, size = information.f_frsize;
  return size != 0 && blocks > INT64_MAX / size ? INT64_MAX : (int64_t) (blocks * size);
}

int64_t cs_free_files(const char *path)
{
  struct statvfs information;
  // File systems that have no limit give zeros.
  if (statvfs(path, &information) != 0 || information.f_files == 0) return -1;
  uint64_t files = information.f_favail;
  return files > INT64_MAX ? INT64_MAX : (int64_t) files;
}

int cs_has_blocks_smaller_than_pages(const char *path)
{
  struct statvfs information;
  return statvfs(path, &information) == 0 && (long) information.f_frsize < sysconf(_SC_PAGESIZE);
}

int cs_is_folder(const char *path)
{
  struct stat information;
  return lstat(path, &information) == 0 && S_ISDIR(information.st_mode);
}

int cs_kind(const char *path)
{
  struct stat own, status;
  if (lstat(path, &own) != 0 || stat(path, &status) != 0) return -errno;
  if (S_ISREG(status.st_mode)) return 0;
  if (S_ISDIR(status.st_mode)) return S_ISLNK(own.st_mode) ? 2 : 1;
  return 3;
}

int cs_file_stamp(const char *path, struct cs_stamp *stamp)
{
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  stamp->device = (int64_t) status.st_dev;
  stamp->inode = (int64_t) status.st_ino;
  stamp->size = (int64_t) status.st_size;
#if defined(__APPLE__)
  stamp->seconds = (int64_t) status.st_mtimespec.tv_sec;
  stamp->nanoseconds = (int64_t) status.st_mtimespec.tv_nsec;
#else
  stamp->seconds = (int64_t) status.st_mtim.tv_sec;
  stamp->nanoseconds = (int64_t) status.st_mtim.tv_nsec;
#endif
  return 0;
}

int cs_is_regular(int descriptor)
{
  struct stat status;
  return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

int cs_lock_holder(int descriptor, int writes)
{
  // To read goes together with other readers, to write with nobody. A length of 0 is up to the end, wherever that will be.
  struct flock lock = {.l_type = writes ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  if (fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
  return lock.l_pid > 0 ? (int) lock.l_pid : -1;
}

int64_t cs_name_count(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 ? (int64_t) status.st_nlink : 0;
}

int64_t cs_open_name_count(int descriptor)
{
  struct stat status;
  return fstat(descriptor, &status) == 0 ? (int64_t) status.st_nlink : 0;
}

int cs_is_no_file(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

int cs_is_link_to_folder(const char *path)
{
  struct stat status;
  return lstat(path, &status) == 0 && S_ISLNK(status.st_mode) && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

int cs_are_one(const char *path, const char *other)
{
  struct stat one, two;
  return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

int cs_is_at(int descriptor, const char *path)
{
  struct stat one, two;
  return fstat(descriptor, &one) == 0 && stat(path, &two) == 0 && one.st_dev == two.st_dev && one.st_ino == two.st_ino;
}

int cs_file_mode(const char *path)
{
  struct stat status;
  // What a link leads to is not ours to change.
  if (lstat(path, &status) != 0 || S_ISLNK(status.st_mode)) return -1;
  return (int) (status.st_mode & 07777);
}
