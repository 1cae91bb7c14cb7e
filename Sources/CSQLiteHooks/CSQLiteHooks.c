#include "CSQLiteHooks.h"
