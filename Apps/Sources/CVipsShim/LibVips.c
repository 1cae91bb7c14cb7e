#include "LibVips.h"

#include <dlfcn.h>
#include <stdio.h>

struct lib_vips lib_vips;

// Its number is that of the functions as they have been since libvips 8.0.
#ifdef __APPLE__
static const char *const names[] = { "libvips.42.dylib", "/opt/homebrew/lib/libvips.42.dylib" };
#else
static const char *const names[] = { "libvips.so.42" };
#endif

int load_lib_vips(char *error, size_t capacity)
{
  void *library = NULL;
  // It is never closed: GLib's types stay for as long as the process does.
  for (size_t i = 0; i < sizeof names / sizeof names[0] && library == NULL; i++) {
    // Lazily, as the linker has it: most of the hundred libraries behind it are never called.
    library = dlopen(names[i], RTLD_LAZY | RTLD_LOCAL);
  }
  if (library == NULL) {
    snprintf(error, capacity, "%s (install libvips; the package of Debian and Ubuntu is libvips42)", dlerror());
    return -1;
  }
  // What a library stands on is searched as well, so GLib's functions are found with it.
#define LIB_VIPS_FIND(name, result, parameters) lib_vips.name = (result (*) parameters) dlsym(library, #name);
#define LIB_VIPS_DEMAND(name, result, parameters) \
  if (lib_vips.name == NULL) { \
    snprintf(error, capacity, "libvips 8.12 or later is needed: this one has no %s", #name); \
    return -1; \
  }
  LIB_VIPS_FUNCTIONS(LIB_VIPS_FIND)
  LIB_VIPS_NEWER_FUNCTIONS(LIB_VIPS_FIND)
  LIB_VIPS_FUNCTIONS(LIB_VIPS_DEMAND)
  return 0;
}
