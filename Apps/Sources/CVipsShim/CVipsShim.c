#include "CVipsShim.h"
#include "LibVips.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static void quiet_log(const char *domain, int level, const char *message, void *data)
{
  (void) domain;
  (void) level;
  (void) message;
  (void) data;
}

// Takes the error text of libvips, in one line, and clears it.
static int fail(char *error, size_t capacity)
{
  if (error != NULL && capacity > 0) {
    const char *text = lib_vips_error_buffer();
    snprintf(error, capacity, "%s", text != NULL && text[0] != '\0' ? text : "the image library gave no reason");
    char *end = error + strlen(error);
    while (end > error && isspace((unsigned char) end[-1])) *--end = '\0';
    for (char *at = error; *at != '\0'; at++) {
      if (*at == '\n' || *at == '\r') *at = ' ';
    }
  }
  lib_vips_error_clear();
  return -1;
}

static int fail_saying(const char *message, char *error, size_t capacity)
{
  if (error != NULL && capacity > 0) snprintf(error, capacity, "%s", message);
  lib_vips_error_clear();
  return -1;
}

int cs_start(const char *program, char *error, size_t capacity)
{
  if (load_lib_vips(error, capacity) != 0) return -1;
  setenv("VIPS_WARNING", "0", 1);
  if (lib_vips_init(program)) return fail(error, capacity);
  lib_g_log_set_handler("VIPS", LIB_LOG_LEVELS_BELOW_ERRORS, quiet_log, NULL);
  lib_vips_concurrency_set(1);
  lib_vips_cache_set_max(0);
  lib_vips_block_untrusted_set(1);
  return 0;
}

// Only these six loaders are used, whatever else this build of libvips can open.
static int format_of_loader(const char *loader)
{
  static const struct {
    const char *prefix;
    int format;
  } known[] = {
    { "VipsForeignLoadJpeg", CS_FORMAT_JPEG }, { "VipsForeignLoadPng", CS_FORMAT_PNG },
    { "VipsForeignLoadWebp", CS_FORMAT_WEBP }, { "VipsForeignLoadHeif", CS_FORMAT_HEIC },
    { "VipsForeignLoadNsgif", CS_FORMAT_GIF }, { "VipsForeignLoadTiff", CS_FORMAT_TIFF },
  };
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strncmp(loader, known[i].prefix, strlen(known[i].prefix)) == 0) return known[i].format;
  }
  return CS_FORMAT_UNKNOWN;
}

// EXIF values come as "2024:05:06 07:08:09 (2024:05:06 07:08:09, ASCII, 20 components, 20 bytes)".
static void copy_exif(VipsImage *image, const char *name, char *target, size_t capacity)
{
  const char *text;
  target[0] = '\0';
  if (lib_vips_image_get_typeof(image, name) == 0) return;
  if (lib_vips_image_get_string(image, name, &text)) {
    lib_vips_error_clear();
    return;
  }
  snprintf(target, capacity, "%s", text);
  // A text may have brackets of its own: it ends where it is said again. Numbers are said in another way.
  const char *first = strstr(text, " (");
  const char *tail = first;
  while (tail != NULL && strncmp(tail + 2, text, (size_t) (tail - text)) != 0) tail = strstr(tail + 1, " (");
  if (tail == NULL) tail = first;
  if (tail != NULL && (size_t) (tail - text) < capacity) target[tail - text] = '\0';
}

// The file behind a descriptor, from its beginning.
static VipsSource *source_of(int descriptor)
{
  lseek(descriptor, 0, SEEK_SET);
  return lib_vips_source_new_from_descriptor(descriptor);
}

int cs_read_header(int descriptor, cs_header *header, char *error, size_t capacity)
{
  memset(header, 0, sizeof *header);
  VipsSource *source = source_of(descriptor);
  if (source == NULL) return fail(error, capacity);
  const char *loader = lib_vips_foreign_find_load_source(source);
  header->format = loader == NULL ? CS_FORMAT_UNKNOWN : format_of_loader(loader);
  if (header->format == CS_FORMAT_UNKNOWN) {
    lib_g_object_unref(source);
    return loader == NULL ? fail(error, capacity) : fail_saying("not a known file format", error, capacity);
  }
  VipsImage *image = lib_vips_image_new_from_source(source, "", "access", LIB_ACCESS_SEQUENTIAL, NULL);
  lib_g_object_unref(source);
  if (image == NULL) return fail(error, capacity);
  header->bytes_per_pixel =
    (int32_t) lib_vips_format_sizeof(lib_vips_image_get_format(image)) * lib_vips_image_get_bands(image);
  header->is_whole_in_memory = lib_vips_image_get_typeof(image, "interlaced") != 0;
  header->has_profile = lib_vips_image_get_typeof(image, LIB_ICC_PROFILE) != 0;
  header->orientation = lib_vips_image_get_orientation(image);
  int width = lib_vips_image_get_width(image), height = lib_vips_image_get_height(image);
  int is_turned = lib_vips_image_get_orientation_swap(image);
  header->width = is_turned ? height : width;
  header->height = is_turned ? width : height;
  copy_exif(image, "exif-ifd2-DateTimeOriginal", header->captured, sizeof header->captured);
  if (header->captured[0] == '\0')
    copy_exif(image, "exif-ifd2-DateTimeDigitized", header->captured, sizeof header->captured);
  copy_exif(
    image, "exif-ifd2-OffsetTimeOriginal", header->captured_offset, sizeof header->captured_offset);
  copy_exif(image, "exif-ifd0-Make", header->make, sizeof header->make);
  copy_exif(image, "exif-ifd0-Model", header->model, sizeof header->model);
  copy_exif(image, "exif-ifd2-LensModel", header->lens, sizeof header->lens);
  copy_exif(image, "exif-ifd2-ExposureTime", header->exposure, sizeof header->exposure);
  copy_exif(image, "exif-ifd2-FNumber", header->aperture, sizeof header->aperture);
  copy_exif(image, "exif-ifd2-ISOSpeedRatings", header->sensitivity, sizeof header->sensitivity);
  copy_exif(image, "exif-ifd2-FocalLength", header->focal_length, sizeof header->focal_length);
  copy_exif(image, "exif-ifd3-GPSLatitude", header->latitude, sizeof header->latitude);
  copy_exif(image, "exif-ifd3-GPSLatitudeRef", header->latitude_side, sizeof header->latitude_side);
  copy_exif(image, "exif-ifd3-GPSLongitude", header->longitude, sizeof header->longitude);
  copy_exif(image, "exif-ifd3-GPSLongitudeRef", header->longitude_side, sizeof header->longitude_side);
  lib_g_object_unref(image);
  lib_vips_error_clear();
  return 0;
}

// Fills in the size and the average colour of an image of three 8-bit bands that lies in memory; 0 on success.
static int describe(VipsImage *image, cs_thumbnail_info *info)
{
  uint64_t sums[3] = { 0, 0, 0 };
  const uint8_t *pixel = lib_vips_image_get_data(image);
  if (pixel == NULL) return -1;
  info->width = lib_vips_image_get_width(image);
  info->height = lib_vips_image_get_height(image);
  uint64_t count = (uint64_t) info->width * (uint64_t) info->height;
  for (uint64_t i = 0; i < count; i++, pixel += 3) {
    sums[0] += pixel[0];
    sums[1] += pixel[1];
    sums[2] += pixel[2];
  }
  if (count == 0) return 0;
  info->red = (uint8_t) (sums[0] / count);
  info->green = (uint8_t) (sums[1] / count);
  info->blue = (uint8_t) (sums[2] / count);
  return 0;
}

// Writes all bytes; 0, or the number of the system's error.
static int write_all(int descriptor, const void *bytes, size_t count)
{
  const char *rest = bytes;
  while (count > 0) {
    ssize_t written = write(descriptor, rest, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : EIO;
    rest += written;
    count -= (size_t) written;
  }
  return 0;
}

// Decodes a picture into 8-bit sRGB of three bands in memory, not larger than box × box; NULL with libvips' error text.
static VipsImage *decode(int descriptor, int box, int has_profile)
{
  // Each step's result goes into the next free place; all but the last are released together.
  VipsImage *steps[3] = { NULL, NULL, NULL };
  VipsImage *last = NULL, *result = NULL;
  VipsSource *source = source_of(descriptor);
  if (source == NULL) return NULL;

  // To ask for an export profile where the file has none of its own shifts the colours.
  int failed = has_profile
    ? lib_vips_thumbnail_source(
        source, &steps[0], box, "height", box, "size", LIB_SIZE_DOWN, "fail_on", LIB_FAIL_ON_ERROR,
        "option_string", "[fail_on=error]",
        "export_profile", "srgb", NULL)
    : lib_vips_thumbnail_source(
        source, &steps[0], box, "height", box, "size", LIB_SIZE_DOWN, "fail_on", LIB_FAIL_ON_ERROR,
        "option_string", "[fail_on=error]", NULL);
  if (failed) goto done;
  if (lib_vips_colourspace(steps[0], &steps[1], LIB_INTERPRETATION_sRGB, NULL)) goto done;
  last = steps[1];
  if (lib_vips_image_hasalpha(last)) {
    double white = 255;
    VipsArrayDouble *background = lib_vips_array_double_new(&white, 1);
    int flattened = lib_vips_flatten(last, &steps[2], "background", background, NULL);
    lib_vips_area_unref((VipsArea *) background);
    if (flattened) goto done;
    last = steps[2];
  }
  if ((result = lib_vips_image_copy_memory(last)) == NULL) goto done;
  int bands = lib_vips_image_get_bands(result), format = lib_vips_image_get_format(result);
  if (bands != 3 || format != LIB_FORMAT_UCHAR) {
    lib_vips_error("thumbnail", "%d bands of format %d cannot be shown", bands, format);
    lib_g_object_unref(result);
    result = NULL;
  }

done:
  for (int i = 2; i >= 0; i--) {
    if (steps[i] != NULL) lib_g_object_unref(steps[i]);
  }
  lib_g_object_unref(source);
  return result;
}

// Writes an image as a JPEG; 0 on success.
static int write_jpeg(VipsImage *image, const cs_target *target, cs_thumbnail_info *info)
{
  void *bytes = NULL;
  size_t count = 0;
  // In memory first, so that a disk that is full is told from a picture that is damaged.
  if (lib_vips_jpegsave_buffer(image, &bytes, &count, "Q", target->quality, "strip", 1, NULL)) return -1;
  info->write_error = write_all(target->descriptor, bytes, count);
  lib_g_free(bytes);
  if (info->write_error == 0) return 0;
  lib_vips_error("thumbnail", "%s", strerror(info->write_error));
  return -1;
}

// Makes an image in memory smaller, so that it fits into box × box; NULL with libvips' error text.
static VipsImage *shrink(VipsImage *image, int box)
{
  VipsImage *small = NULL;
  // It is upright, and in the colours of screens.
  if (lib_vips_thumbnail_image(
        image, &small, box, "height", box, "size", LIB_SIZE_DOWN, "no_rotate", 1, NULL))
    return NULL;
  VipsImage *result = lib_vips_image_copy_memory(small);
  lib_g_object_unref(small);
  return result;
}

int cs_make_pictures(
  int descriptor, const cs_target *small, const cs_target *preview, int has_profile, cs_thumbnail_info *info,
  char *error, size_t capacity)
{
  memset(info, 0, sizeof *info);
  int result = -1;
  VipsImage *image = decode(descriptor, preview != NULL ? preview->box : small->box, has_profile);
  if (image != NULL && preview != NULL) {
    VipsImage *larger = image;
    image = write_jpeg(larger, preview, info) == 0 ? shrink(larger, small->box) : NULL;
    lib_g_object_unref(larger);
  }
  if (image != NULL) {
    result = describe(image, info) == 0 ? write_jpeg(image, small, info) : -1;
    lib_g_object_unref(image);
  }
  if (result != 0) return fail(error, capacity);
  lib_vips_error_clear();
  return 0;
}

int cs_write_picture(
  const uint8_t *pixels, int width, int height, int bands, const char *path, int quality,
  const char *captured, int orientation, char *error, size_t capacity)
{
  VipsImage *image = lib_vips_image_new_from_memory(
    pixels, (size_t) width * (size_t) height * (size_t) bands, width, height, bands, LIB_FORMAT_UCHAR);
  if (image == NULL) return fail(error, capacity);
  // A copy of the header, so that metadata can be set and the interpretation is that of pixels on a screen.
  VipsImage *tagged = NULL;
  int copied = lib_vips_copy(image, &tagged, "interpretation", LIB_INTERPRETATION_sRGB, NULL);
  lib_g_object_unref(image);
  if (copied) return fail(error, capacity);
  if (captured != NULL) lib_vips_image_set_string(tagged, "exif-ifd2-DateTimeOriginal", captured);
  if (orientation > 1) lib_vips_image_set_int(tagged, "orientation", orientation);

  const char *suffix = strrchr(path, '.');
  int has_quality = suffix != NULL
    && (strcasecmp(suffix, ".jpg") == 0 || strcasecmp(suffix, ".jpeg") == 0
      || strcasecmp(suffix, ".webp") == 0 || strcasecmp(suffix, ".heic") == 0);
  int saved = has_quality ? lib_vips_image_write_to_file(tagged, path, "Q", quality, NULL)
                          : lib_vips_image_write_to_file(tagged, path, NULL);
  lib_g_object_unref(tagged);
  if (saved) return fail(error, capacity);
  lib_vips_error_clear();
  return 0;
}
