#include "LibVips.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#define LIB_VIPS_DEFINITION(name, result, parameters) result (*lib_##name) parameters;
LIB_VIPS_FUNCTIONS(LIB_VIPS_DEFINITION)
LIB_VIPS_OPTION_FUNCTIONS(LIB_VIPS_DEFINITION)

// 42 is the version of its binary interface since libvips 8.0. Apple's dlopen looks for a bare name in the current folder, which may be
// anybody's, so the folders of Homebrew, on both processors, and MacPorts are named there.
#ifdef __APPLE__
static const char *const places[] = {
  "/opt/homebrew/lib/libvips.42.dylib", "/usr/local/lib/libvips.42.dylib", "/opt/local/lib/libvips.42.dylib",
};
#else
static const char *const places[] = { "libvips.so.42" };
#endif

int load_lib_vips(char *error, size_t capacity)
{
  void *library = NULL;
  size_t length = 0;
  error[0] = '\0';
  // It is never closed: GLib's types stay for as long as the process does.
  for (size_t i = 0; i < sizeof places / sizeof places[0] && library == NULL; i++) {
    // With lazy binding, the linker's default: most of the hundred libraries behind it are never called.
    library = dlopen(places[i], RTLD_LAZY | RTLD_LOCAL);
    if (library == NULL) snprintf(error + length, capacity - length, "%s%s", length == 0 ? "" : "; ", dlerror());
    length = strlen(error);
  }
  if (library == NULL) return -1;
  // A search in a library goes on in its dependencies, so GLib's functions are found as well.
#define LIB_VIPS_RESOLVE(name, result, parameters) \
  lib_##name = (result (*) parameters) dlsym(library, #name); \
  if (lib_##name == NULL) { \
    snprintf(error, capacity, "the one that is installed has no %s", #name); \
    return -1; \
  }
  LIB_VIPS_FUNCTIONS(LIB_VIPS_RESOLVE)
  LIB_VIPS_OPTION_FUNCTIONS(LIB_VIPS_RESOLVE)
  return 0;
}
