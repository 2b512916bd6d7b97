/*
 * Records, in order, everything a process does to the files of one folder, so that a power cut can be replayed.
 *
 *   LD_PRELOAD=this  POWERCUT_DIR=<folder>  POWERCUT_LOG=<file>
 *
 * Each call runs and is logged under one lock, so the order in the log is the order on the files. A sync is logged as
 * begin and end around the call, outside the lock: what was written before the begin is durable from the end on.
 * Bytes written to <folder>/.acks are logged as acknowledgements and go to no file: they mark, in the same order,
 * what the process has promised.
 *
 * A record is a header and then the path (relative to the folder) and the data. Numbers are little-endian.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN = 1, CREATE, WRITE, TRUNCATE, SYNC_BEGIN, SYNC_END, RENAME, UNLINK, MKDIR, ACK };

/* `file` is the inode. `offset`: of a write; the new length of a truncate; the number of the begin record for SYNC_END. */
struct header {
  uint32_t kind, path_length;
  uint64_t file, offset, data_length;
};

#define MAX_FD 4096
static struct { uint64_t file; int acks; int scratch; } fds[MAX_FD];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;
static uint64_t records;
static char folder[PATH_MAX];
static size_t folder_length;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
  const char *dir = getenv("POWERCUT_DIR"), *path = getenv("POWERCUT_LOG");
  unsetenv("LD_PRELOAD"); /* a child process would write into the same log with its own count */
  if (!dir || !path || !realpath(dir, folder)) return;
  folder_length = strlen(folder);
  log_fd = REAL(open)(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

/* What happens unseen would make the replay wrong: better no result than a false one. */
static void refuse(const char *what) {
  fprintf(stderr, "powercut: %s on a watched file is not recorded\n", what);
  abort();
}

/* The path relative to the folder, or NULL when it lies outside. */
static const char *watched(const char *path, char *buffer) {
  if (log_fd < 0) return NULL;
  if (path[0] != '/') {
    char cwd[PATH_MAX];
    if (!getcwd(cwd, sizeof cwd) || snprintf(buffer, PATH_MAX, "%s/%s", cwd, path) >= PATH_MAX) return NULL;
    path = buffer;
  }
  if (strncmp(path, folder, folder_length) != 0) return NULL;
  if (path[folder_length] == '\0') return "";
  return path[folder_length] == '/' ? path + folder_length + 1 : NULL;
}

static int is_watched(int fd) { return fd >= 0 && fd < MAX_FD && fds[fd].file != 0; }

static uint64_t record(enum kind kind, uint64_t file, uint64_t offset, const char *path, const struct iovec *data, int count, size_t length) {
  struct header header = { kind, (uint32_t)strlen(path), file, offset, length };
  struct iovec parts[2] = { { &header, sizeof header }, { (void *)path, header.path_length } };
  __typeof__(&write) put = REAL(write);
  for (int part = 0; part < 2 + count; part++) {
    const struct iovec *piece = part < 2 ? &parts[part] : &data[part - 2];
    size_t left = part < 2 || piece->iov_len < length ? piece->iov_len : length;
    if (part >= 2) length -= left;
    for (const char *at = piece->iov_base; left > 0;) {
      ssize_t done = put(log_fd, at, left);
      if (done < 0 && errno != EINTR) refuse("a failed write of the log: something");
      if (done > 0) at += done, left -= (size_t)done;
    }
  }
  return records++;
}

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = watched(path, buffer);
  if (!name) return real(path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat before, after;
  int existed = stat(path, &before) == 0;
  int fd = real(path, flags, mode);
  if (fd >= MAX_FD) refuse("a very high descriptor");
  if (fd >= 0 && fstat(fd, &after) == 0) {
    size_t length = strlen(name);
    fds[fd].file = after.st_ino;
    fds[fd].acks = strcmp(name, ".acks") == 0;
    fds[fd].scratch = length > 4 && strcmp(name + length - 4, "-shm") == 0;
    if (!fds[fd].acks) {
      record(existed ? OPEN : CREATE, after.st_ino, 0, name, NULL, 0, 0);
      if (existed && (flags & O_TRUNC) && before.st_size > 0) record(TRUNCATE, after.st_ino, 0, "", NULL, 0, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  return fd;
}

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(REAL(open), path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return opened(REAL(open64), path, flags, mode);
}

int close(int fd) {
  if (!is_watched(fd)) return REAL(close)(fd);
  pthread_mutex_lock(&lock);
  fds[fd].file = 0;
  int result = REAL(close)(fd);
  pthread_mutex_unlock(&lock);
  return result;
}

/* `offset` below 0: at the file's own position, which the call has moved past what it wrote. */
static void wrote(int fd, const struct iovec *data, int count, off_t offset, ssize_t length) {
  if (length <= 0) return;
  if (offset < 0) offset = lseek(fd, 0, SEEK_CUR) - length;
  record(fds[fd].acks ? ACK : WRITE, fds[fd].file, (uint64_t)offset, "", data, count, (size_t)length);
}
#define LOGGED(fd, call, data, count, offset)      \
  do {                                             \
    if (!is_watched(fd)) return call;              \
    pthread_mutex_lock(&lock);                     \
    ssize_t length = call;                         \
    int error = errno;                             \
    wrote(fd, data, count, offset, length);        \
    pthread_mutex_unlock(&lock);                   \
    errno = error;                                 \
    return length;                                 \
  } while (0)

ssize_t write(int fd, const void *bytes, size_t size) {
  struct iovec one = { (void *)bytes, size };
  LOGGED(fd, REAL(write)(fd, bytes, size), &one, 1, -1);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t offset) {
  struct iovec one = { (void *)bytes, size };
  LOGGED(fd, REAL(pwrite)(fd, bytes, size, offset), &one, 1, offset);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t offset) {
  struct iovec one = { (void *)bytes, size };
  LOGGED(fd, REAL(pwrite64)(fd, bytes, size, offset), &one, 1, offset);
}
ssize_t writev(int fd, const struct iovec *data, int count) { LOGGED(fd, REAL(writev)(fd, data, count), data, count, -1); }
ssize_t pwritev(int fd, const struct iovec *data, int count, off_t offset) { LOGGED(fd, REAL(pwritev)(fd, data, count, offset), data, count, offset); }
ssize_t pwritev64(int fd, const struct iovec *data, int count, off64_t offset) { LOGGED(fd, REAL(pwritev64)(fd, data, count, offset), data, count, offset); }

static int truncated(int (*real)(int, off_t), int fd, off_t length) {
  if (!is_watched(fd)) return real(fd, length);
  pthread_mutex_lock(&lock);
  int result = real(fd, length);
  if (result == 0) record(TRUNCATE, fds[fd].file, (uint64_t)length, "", NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int ftruncate(int fd, off_t length) { return truncated(REAL(ftruncate), fd, length); }
int ftruncate64(int fd, off64_t length) { return truncated(REAL(ftruncate64), fd, length); }

static int synced(int (*real)(int), int fd) {
  if (!is_watched(fd)) return real(fd);
  pthread_mutex_lock(&lock);
  uint64_t file = fds[fd].file, begin = record(SYNC_BEGIN, file, 0, "", NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  int result = real(fd);
  if (result != 0) return result;
  pthread_mutex_lock(&lock);
  record(SYNC_END, file, begin, "", NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  return result;
}
int fsync(int fd) { return synced(REAL(fsync), fd); }
int fdatasync(int fd) { return synced(REAL(fdatasync), fd); }

int unlink(const char *path) {
  char buffer[PATH_MAX];
  const char *name = watched(path, buffer);
  if (!name) return REAL(unlink)(path);
  pthread_mutex_lock(&lock);
  int result = REAL(unlink)(path), error = errno;
  if (result == 0) record(UNLINK, 0, 0, name, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int rename(const char *from, const char *to) {
  char buffer_from[PATH_MAX], buffer_to[PATH_MAX];
  const char *name = watched(from, buffer_from), *next = watched(to, buffer_to);
  if (!name && !next) return REAL(rename)(from, to);
  if (!name || !next) refuse("rename across the folder's edge");
  struct iovec target = { (void *)next, strlen(next) };
  pthread_mutex_lock(&lock);
  int result = REAL(rename)(from, to), error = errno;
  if (result == 0) record(RENAME, 0, 0, name, &target, 1, target.iov_len);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int mkdir(const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = watched(path, buffer);
  if (!name) return REAL(mkdir)(path, mode);
  pthread_mutex_lock(&lock);
  int result = REAL(mkdir)(path, mode), error = errno;
  if (result == 0) record(MKDIR, 0, 0, name, NULL, 0, 0);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

/* SQLite's WAL index (-shm) is shared memory that is rebuilt after a crash; any other shared writable mapping is unseen. */
static void check_mapping(int prot, int flags, int fd) {
  if (is_watched(fd) && !fds[fd].scratch && (prot & PROT_WRITE) && (flags & MAP_SHARED)) refuse("a writable mapping");
}
void *mmap(void *at, size_t length, int prot, int flags, int fd, off_t offset) {
  check_mapping(prot, flags, fd);
  return REAL(mmap)(at, length, prot, flags, fd, offset);
}
void *mmap64(void *at, size_t length, int prot, int flags, int fd, off64_t offset) {
  check_mapping(prot, flags, fd);
  return REAL(mmap64)(at, length, prot, flags, fd, offset);
}
