#ifndef CPROCESS_SHIM_H
#define CPROCESS_SHIM_H

// Calls of the operating system that Swift cannot make: descriptors sent through a socket, and a process that gives
// up what it does not need.

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Sends bytes through a socket and, where `descriptor` is not negative, that descriptor with the first of them.
// Returns how many bytes were sent, or -1 with errno.
ssize_t cs_send(int socket, const void *bytes, size_t count, int descriptor);

// Receives bytes from a socket; `descriptor` becomes one that came with them, or stays as it is.
// Returns how many bytes came, 0 at the end, or -1 with errno.
ssize_t cs_receive(int socket, void *bytes, size_t capacity, int *descriptor);

// From here on every thread of this process can open no file, make no socket, start no program and look into no
// other process: the kernel answers such calls with an error. What is open already stays open. Returns NULL, or the
// reason why the kernel does not do it.
const char *cs_confine(void);

// Opens what `cs_limit_memory` reads. To be called before `cs_confine`.
void cs_prepare_memory_limit(void);

// Lets this process allocate so many bytes beyond what it has now. Returns 0, or -1 where that cannot be had.
int cs_limit_memory(uint64_t more);

// Gives memory that is no longer used back to the system.
void cs_release_memory(void);

// The limits of the system on this process in bytes, UINT64_MAX where there is none: what it may have mapped, what of
// that it may write, and how long a file may become.
uint64_t cs_address_space_limit(void);
uint64_t cs_data_limit(void);
uint64_t cs_file_size_limit(void);
// The number of files that this process may have open at the same time.
uint64_t cs_open_file_limit(void);

// Returns whether so many further threads can be there at the same time; they are, for a moment.
int cs_can_start_threads(size_t count);

#endif
