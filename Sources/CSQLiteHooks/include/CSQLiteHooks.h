#ifndef CSQLITE_HOOKS_H
#define CSQLITE_HOOKS_H
#endif
