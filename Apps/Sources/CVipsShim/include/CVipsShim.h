#ifndef CVIPS_SHIM_H
#define CVIPS_SHIM_H

// The part of libvips that ContactSheet uses, without varargs and without a type of libvips or GLib in
// sight, so that Swift can call it. Every function returns 0 on success; on failure it returns another
// value and leaves a sentence in `error` (always terminated, cut at `capacity`). Nothing that is returned
// has to be freed by the caller.
//
// libvips keeps one error text for the whole process, so calls must not overlap if each one's text matters.

#include <stddef.h>
#include <stdint.h>

enum {
  CS_FORMAT_UNKNOWN = 0,
  CS_FORMAT_JPEG,
  CS_FORMAT_PNG,
  CS_FORMAT_WEBP,
  CS_FORMAT_HEIC,
  CS_FORMAT_GIF,
  CS_FORMAT_TIFF,
};

// What a file's header says. Width and height are those of the picture as it is shown, turned upright.
typedef struct {
  int32_t format;
  int32_t width;
  int32_t height;
  int32_t orientation;
  int32_t has_profile;
  // How many bytes one decoded pixel takes.
  int32_t bytes_per_pixel;
  // Whether the file comes in several passes, so that its decoder keeps the whole picture.
  int32_t is_whole_in_memory;
  char captured[32];
  char captured_offset[16];
  // What EXIF says of the camera, as text: names as they are, numbers as fractions such as "28/10", empty where there is nothing.
  char make[64];
  char model[64];
  char lens[96];
  char exposure[32];
  char aperture[32];
  char sensitivity[16];
  char focal_length[32];
  // Degrees, minutes and seconds, and "N" or "S", "E" or "W".
  char latitude[96];
  char latitude_side[8];
  char longitude[96];
  char longitude_side[8];
} cs_header;

typedef struct {
  int32_t width;
  int32_t height;
  uint8_t red;
  uint8_t green;
  uint8_t blue;
  // The system's number of the error where the file could not be written; 0 for whatever else went wrong.
  int32_t write_error;
} cs_thumbnail_info;

// Loads and starts libvips, before any other function here is called: no operation cache (it would answer with an older file of the same name), one thread per
// call, no loader that libvips itself calls unfit for untrusted files, no warnings on stderr. Fails where libvips 8.13 or later is
// not found.
int cs_start(const char *program, char *error, size_t capacity);

// Reads the header only; no pixel is decoded. The file is named by a descriptor, as everywhere here: the process that
// decodes can open none.
int cs_read_header(int descriptor, cs_header *header, char *error, size_t capacity);

// A JPEG to make: it fits into box × box pixels and goes to a descriptor; of quality 1…100.
typedef struct {
  int descriptor;
  int box;
  int quality;
} cs_target;

// Writes JPEGs, upright, in sRGB, without metadata: the small one, and where `preview` is not NULL a larger one, which
// the small one is made of, so that the picture is decoded once. Refuses damaged files.
// has_profile is what the header said: whether the file has a colour profile of its own.
int cs_make_pictures(
  int descriptor, const cs_target *small, const cs_target *preview, int has_profile, cs_thumbnail_info *info,
  char *error, size_t capacity);

// Writes width × height RGB pixels (or RGBA with bands == 4) to `path`; the suffix picks the format.
// `captured` is "yyyy:MM:dd HH:mm:ss" or NULL; orientation is that of EXIF, 1 for upright.
int cs_write_picture(
  const uint8_t *pixels, int width, int height, int bands, const char *path, int quality,
  const char *captured, int orientation, char *error, size_t capacity);

// The size of a regular file, or -1 where there is none. (Which Swift module `struct stat` belongs to depends on
// what else is compiled with it, so the call is made here.)
int64_t cs_file_size(const char *path);

// How many bytes can still be written where a path is, or -1 where that cannot be told.
int64_t cs_free_space(const char *path);

// How many files can still be made where a path is, or -1 where that cannot be told or has no limit.
int64_t cs_free_files(const char *path);

// Whether a file's pages in memory lie in several blocks of the disk each, as on small disks.
int cs_has_blocks_smaller_than_pages(const char *path);

// Ends the process with a message and a status where a page of a file that is mapped into memory finds no block on the
// disk (SIGBUS). The text is kept and has to stay.
void cs_explain_bus_errors(const char *text, int status);

// Whether a path names a folder, and not a link to one.
int cs_is_folder(const char *path);

// What a path names, or what a link of that name leads to: 0 for a file, 1 for a folder, 2 for a link to a folder, 3 for pipes, devices and
// the like, or the negative number of the error.
int cs_kind(const char *path);

// What tells a file from another of the same name: its number in the file system, its length, and when it was last written.
struct cs_stamp { int64_t device, inode, size, seconds, nanoseconds; };
int cs_file_stamp(const char *path, struct cs_stamp *stamp);

// Who may do what with a file or folder: the mode's lower twelve bits, or -1 where there is none or a link.
int cs_file_mode(const char *path);

// Whether an open file is a regular one: no pipe, device or folder.
int cs_is_regular(int descriptor);

// The process that has a lock on any part of a file by fcntl, as SQLite's are; -1 for one that the system does not name, and 0 where no
// other process has one. `writes` asks for locks of writers only.
int cs_lock_holder(int descriptor, int writes);

// How many names a file has in the file system; 0 where there is none. A link is not followed.
int64_t cs_name_count(const char *path);

// How many names an open file has.
int64_t cs_open_name_count(int descriptor);

// Whether a path names something that is no regular file: a link, a folder, a pipe, a socket or a device.
int cs_is_no_file(const char *path);

// Whether a path names a link that leads to a folder.
int cs_is_link_to_folder(const char *path);

// Whether two paths lead to the same file or folder, by whatever links.
int cs_are_one(const char *path, const char *other);

// Whether a path leads to what a descriptor has open.
int cs_is_at(int descriptor, const char *path);

#endif
