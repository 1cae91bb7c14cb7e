#ifndef LIB_VIPS_H
#define LIB_VIPS_H

// The functions of libvips and GLib that are called here, found by name when the first one is needed: most commands, and the server
// itself, decode nothing, and would wait for a hundred libraries (decision 0024). scripts/check-vips holds this to libvips' headers.

#include <stddef.h>
#include <stdint.h>

typedef struct _VipsImage VipsImage;
typedef struct _VipsSource VipsSource;
typedef struct _VipsArrayDouble VipsArrayDouble;
typedef struct _VipsArea VipsArea;

enum {
  LIB_ACCESS_SEQUENTIAL = 1,
  LIB_FAIL_ON_ERROR = 2,
  LIB_FORMAT_UCHAR = 0,
  LIB_INTERPRETATION_sRGB = 22,
  LIB_LOG_LEVELS_BELOW_ERRORS = 1 << 4 | 1 << 6 | 1 << 7,  // warnings, information, debugging
  LIB_SIZE_DOWN = 2,
};

#define LIB_ICC_PROFILE "icc-profile-data"

// The name, result and parameters of each function.
#define LIB_VIPS_FUNCTIONS(function) \
  function(g_free, void, (void *memory)) \
  function(g_log_set_handler, unsigned int, \
    (const char *domain, int levels, void (*log)(const char *domain, int level, const char *message, void *data), void *data)) \
  function(g_object_unref, void, (void *object)) \
  function(vips_area_unref, void, (VipsArea *area)) \
  function(vips_array_double_new, VipsArrayDouble *, (const double *numbers, int count)) \
  function(vips_block_untrusted_set, void, (int is_blocked)) \
  function(vips_cache_set_max, void, (int count)) \
  function(vips_concurrency_set, void, (int threads)) \
  function(vips_error, void, (const char *domain, const char *format, ...)) \
  function(vips_error_buffer, const char *, (void)) \
  function(vips_error_clear, void, (void)) \
  function(vips_foreign_find_load_source, const char *, (VipsSource *source)) \
  function(vips_format_sizeof, uint64_t, (int format)) \
  function(vips_image_copy_memory, VipsImage *, (VipsImage *image)) \
  function(vips_image_get_bands, int, (const VipsImage *image)) \
  function(vips_image_get_data, const void *, (VipsImage *image)) \
  function(vips_image_get_format, int, (const VipsImage *image)) \
  function(vips_image_get_height, int, (const VipsImage *image)) \
  function(vips_image_get_orientation, int, (VipsImage *image)) \
  function(vips_image_get_orientation_swap, int, (VipsImage *image)) \
  function(vips_image_get_string, int, (const VipsImage *image, const char *name, const char **text)) \
  function(vips_image_get_typeof, size_t, (const VipsImage *image, const char *name)) \
  function(vips_image_get_width, int, (const VipsImage *image)) \
  function(vips_image_hasalpha, int, (VipsImage *image)) \
  function(vips_image_new_from_memory, VipsImage *, \
    (const void *bytes, size_t count, int width, int height, int bands, int format)) \
  function(vips_image_set_int, void, (VipsImage *image, const char *name, int number)) \
  function(vips_image_set_string, void, (VipsImage *image, const char *name, const char *text)) \
  function(vips_init, int, (const char *program)) \
  function(vips_source_new_from_descriptor, VipsSource *, (int descriptor))

// Those that take names and values, up to a NULL.
#define LIB_VIPS_OPTION_FUNCTIONS(function) \
  function(vips_colourspace, int, (VipsImage *image, VipsImage **result, int interpretation, ...)) \
  function(vips_copy, int, (VipsImage *image, VipsImage **result, ...)) \
  function(vips_flatten, int, (VipsImage *image, VipsImage **result, ...)) \
  function(vips_image_new_from_source, VipsImage *, (VipsSource *source, const char *options, ...)) \
  function(vips_image_write_to_file, int, (VipsImage *image, const char *path, ...)) \
  function(vips_jpegsave_buffer, int, (VipsImage *image, void **bytes, size_t *count, ...)) \
  function(vips_thumbnail_image, int, (VipsImage *image, VipsImage **result, int width, ...)) \
  function(vips_thumbnail_source, int, (VipsSource *source, VipsImage **result, int width, ...))

// Pointers to them, such as `lib_vips_copy`, once `load_lib_vips` has returned 0. The compiler warns of a call that lacks its NULL.
#define LIB_VIPS_POINTER(name, result, parameters) extern result (*lib_##name) parameters;
#define LIB_VIPS_OPTION_POINTER(name, result, parameters) extern __attribute__((sentinel)) result (*lib_##name) parameters;
LIB_VIPS_FUNCTIONS(LIB_VIPS_POINTER)
LIB_VIPS_OPTION_FUNCTIONS(LIB_VIPS_OPTION_POINTER)
#undef LIB_VIPS_POINTER
#undef LIB_VIPS_OPTION_POINTER

// Finds the functions. Returns 0, or -1 with a text in `error` where the library or one of its functions is missing.
int load_lib_vips(char *error, size_t capacity);

#endif
