#define _GNU_SOURCE
#include "CProcessShim.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))

#include <dlfcn.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// What a decoder never needs once its libraries are loaded: names of files, sockets, programs, other processes, and
// the calls that lead around such a list. Calls that this kernel's headers do not have yet by name have a number.
static const int refused[] = {
// Files by name.
#ifdef __NR_open
  __NR_open,
#endif
#ifdef __NR_creat
  __NR_creat,
#endif
  __NR_openat, 437 /* openat2 */, __NR_open_by_handle_at, __NR_name_to_handle_at,
#ifdef __NR_unlink
  __NR_unlink, __NR_rename, __NR_link, __NR_symlink, __NR_mkdir, __NR_rmdir, __NR_mknod, __NR_chmod, __NR_chown,
  __NR_lchown, __NR_readlink, __NR_utime, __NR_utimes, __NR_futimesat,
#endif
  __NR_unlinkat, __NR_renameat2,
#ifdef __NR_renameat
  __NR_renameat,
#endif
  __NR_linkat, __NR_symlinkat, __NR_mkdirat, __NR_mknodat, __NR_fchmodat, 452 /* fchmodat2 */, __NR_fchownat,
  __NR_readlinkat, __NR_utimensat, __NR_truncate, __NR_chdir, __NR_fchdir, __NR_chroot, __NR_statfs,
  __NR_setxattr, __NR_lsetxattr, __NR_removexattr, __NR_lremovexattr, __NR_getxattr, __NR_lgetxattr,
  __NR_inotify_init1, __NR_inotify_add_watch, __NR_fanotify_init, __NR_fanotify_mark, __NR_getdents64,
#ifdef __NR_inotify_init
  __NR_inotify_init, __NR_getdents,
#endif
  // Mounts and namespaces.
  __NR_mount, __NR_umount2, __NR_pivot_root, __NR_unshare, __NR_setns, 428 /* open_tree */, 429 /* move_mount */,
  430 /* fsopen */, 432 /* fsmount */, 442 /* mount_setattr */,
  // The network, and sockets of any kind.
  __NR_socket, __NR_socketpair, __NR_connect, __NR_bind, __NR_listen, __NR_accept, __NR_accept4,
  // Programs and other processes.
  __NR_execve, __NR_execveat, __NR_ptrace, __NR_process_vm_readv, __NR_process_vm_writev, __NR_kill, __NR_tkill,
  __NR_rt_sigqueueinfo, __NR_kcmp, 424 /* pidfd_send_signal */, 434 /* pidfd_open */, 438 /* pidfd_getfd */,
  440 /* process_madvise */,
#ifdef __NR_fork
  __NR_fork, __NR_vfork,
#endif
  // Memory and messages that others share, keys, and the kernel itself.
  __NR_shmget, __NR_shmat, __NR_msgget, __NR_semget, __NR_mq_open, __NR_mq_unlink, __NR_add_key, __NR_request_key,
  __NR_keyctl, __NR_bpf, __NR_perf_event_open, __NR_userfaultfd, 425 /* io_uring_setup */, 426, 427,
  __NR_init_module, __NR_finit_module, __NR_delete_module, __NR_kexec_load, __NR_reboot, __NR_swapon, __NR_swapoff,
  __NR_sethostname, __NR_setdomainname, __NR_settimeofday, __NR_clock_settime, __NR_acct, __NR_syslog, __NR_quotactl,
#ifdef __NR_iopl
  __NR_iopl, __NR_ioperm,
#endif
  __NR_setuid, __NR_setgid, __NR_setreuid, __NR_setregid, __NR_setresuid, __NR_setresgid, __NR_setgroups, __NR_capset,
};

enum { refusals = sizeof refused / sizeof refused[0] };

// Libraries that load parts of themselves when they are first used do so now.
static void load_what_comes_late(void)
{
  typedef struct { int code, subcode; const char *message; } heif_error;
  void *heif = dlopen("libheif.so.1", RTLD_NOW | RTLD_NOLOAD);
  if (heif == NULL) return;
  heif_error (*begin)(void *) = (heif_error (*)(void *)) dlsym(heif, "heif_init");
  if (begin != NULL) begin(NULL);
}

const char *cs_confine(void)
{
  load_what_comes_late();

  struct sock_filter code[21 + 2 * refusals];
  unsigned short at = 0;
#define ADD(...) code[at++] = (struct sock_filter) __VA_ARGS__
#define LOAD(field) ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field)))
#define ANSWER(value) ADD(BPF_STMT(BPF_RET | BPF_K, value))
  LOAD(arch);
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
  ANSWER(SECCOMP_RET_KILL_PROCESS);
  LOAD(nr);
  // Numbers from here on are the same calls under another convention (x32).
  ADD(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  ANSWER(SECCOMP_RET_KILL_PROCESS);
  for (int i = 0; i < refusals; i++) {
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned) refused[i], 0, 1));
    ANSWER(SECCOMP_RET_ERRNO | EACCES);
  }
  // Threads are needed, processes are not. Flags of clone3 lie in memory, where no filter sees them; without it the C
  // library takes clone.
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435 /* clone3 */, 0, 1));
  ANSWER(SECCOMP_RET_ERRNO | ENOSYS);
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_clone, 0, 3));
  LOAD(args[0]);
  ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 9, 0));
  ANSWER(SECCOMP_RET_ERRNO | EACCES);
  // Signals and limits for itself and for nobody else.
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 3));
  LOAD(args[0]);
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned) getpid(), 5, 0));
  ANSWER(SECCOMP_RET_ERRNO | EACCES);
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_prlimit64, 0, 3));
  LOAD(args[0]);
  ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0));
  ANSWER(SECCOMP_RET_ERRNO | EACCES);
  ANSWER(SECCOMP_RET_ALLOW);
#undef ADD
#undef LOAD
#undef ANSWER

  struct sock_fprog program = { at, code };
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return strerror(errno);
  if (syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) != 0) {
    return strerror(errno);
  }
  return NULL;
}

#else

const char *cs_confine(void) { return "this system has no seccomp"; }

#endif
