// The functions are all in the header, to be inlined; a target needs a file that can be compiled.
#include "CMemoryHints.h"
