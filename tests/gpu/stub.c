// A CUDA driver without a device: memory is the host's, and a launch plays a script, chosen by HEDDLE_STUB, that calls the
// device library itself (the same source, compiled for the host). Each call is a line in the file HEDDLE_STUB_LOG.
//
// The scripts know the kernel of tests/gpu/host.rs and its sites: 1 writes s[t], 2 reads s[t ^ 32], 3 writes out[t],
// 4 is the barrier. Blocks have 64 threads. Under `probes`, kernels called `heddle_probe_NAME` play NAME.
//
// Under `kit`, a launch plays the file HEDDLE_STUB_SCRIPTS/KEY.KERNEL, where the first line of the PTX is `// kit KEY`;
// without a file it computes nothing and returns. Each line of a file is one of:
//   put ARGUMENT FILE   the buffer of that argument is what the file has
//   race                two threads write the first word of the first buffer, or of shared memory
//   outside             a thread writes beyond its buffers
//   barrier             a thread waits at a barrier, the others have ended
//   hang, fail, endless, die, refuse    how it ends, or that it is not loaded
//   stall               the driver does not come back from the launch
// and kernels of modules without such a line play as under `probes`, and the module's variables are memory of the stub.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runtime/device/heddle.c"

typedef int Result;
enum { OK = 0, NO_MEMORY = 2, NO_DEVICE = 100, BAD_IMAGE = 218, NOT_FOUND = 500, NOT_READY = 600, BAD_ADDRESS = 700 };
enum { THREADS = 64 };
// More than the device has.
#define MEMORY (16ul << 30)

static volatile int running, failed;
static u32 other_version = 7;
// A kernel may start before copies and fills have been done that nobody waited for.
static int unsettled;
static struct {
  u32 blocks, threads;
  int *out;
  int n;
  void **arguments;
} launched;
static char key[256], kernel[1024];

// The file that a launch plays, or none.
static FILE *script_of(const char *name) {
  char path[2048];
  const char *folder = getenv("HEDDLE_STUB_SCRIPTS");
  snprintf(path, sizeof path, "%s/%s.%s", folder ? folder : ".", key, name);
  return fopen(path, "r");
}

static int plays(const char *name) {
  const char *script = getenv("HEDDLE_STUB");
  if (!script) return 0;
  int probes = !strcmp(script, "probes") || (!strcmp(script, "kit") && !key[0]);
  if (probes && !strncmp(kernel, "heddle_probe_", 13)) return !strcmp(kernel + 13, name);
  if (strcmp(script, "kit")) return !strcmp(script, name);
  FILE *file = script_of(kernel);
  char word[64] = "";
  int found = 0;
  while (file && !found && fscanf(file, "%63s%*[^\n]", word) == 1) found = !strcmp(word, name);
  if (file) fclose(file);
  return found;
}

static int is_kit(void) {
  const char *script = getenv("HEDDLE_STUB");
  return script && !strcmp(script, "kit") && key[0];
}

static void note(const char *call, unsigned long number) {
  const char *path = getenv("HEDDLE_STUB_LOG");
  FILE *file = path ? fopen(path, "a") : 0;
  if (!file) return;
  fprintf(file, "%s %lu\n", call, number);
  fclose(file);
}

static struct Thread *state;
static int shared_memory[64];

static struct Thread *here(u32 block, u32 thread) {
  heddle_here.thread = thread;
  heddle_here.threads = launched.threads;
  heddle_here.block = block;
  heddle_here.ended = 0;
  heddle_here.shared = (u64)shared_memory;
  heddle_here.shared_bytes = sizeof shared_memory;
  return &state[block * launched.threads + thread];
}

// As `heddle_runtime::abi` has them: loads and stores of the grid's scope.
enum { LOAD = 0 | 1 << 4, STORE = 1 | 1 << 4 };

static void each(void (*step)(u32 block, u32 thread)) {
  for (u32 block = 0; block < launched.blocks; block++)
    for (u32 thread = 0; thread < launched.threads; thread++) step(block, thread);
}

static void enters(u32 block, u32 thread) { __heddle_gpu_enter(here(block, thread), 0); }
static void leaves(u32 block, u32 thread) { __heddle_gpu_leave(here(block, thread)); }

static void computes(u32 block, u32 thread) {
  struct Thread *t = here(block, thread);
  __heddle_gpu_access(t, &shared_memory[thread], 4, 1, STORE, 0);
  shared_memory[thread] = launched.n;
  __heddle_gpu_access(t, &shared_memory[thread ^ 32], 4, 2, LOAD, 0);
  __heddle_gpu_access(t, &launched.out[thread], 4, 3, STORE, 0);
  launched.out[thread] = launched.n;
}

static void comes(u32 block, u32 thread) {
  __heddle_gpu_site(here(block, thread), 4);
  __heddle_gpu_barrier(here(block, thread), 0, 0);
}
static void goes(u32 block, u32 thread) { __heddle_gpu_barrier_done(here(block, thread), 0, 0); }

// What the file of a kit's launch says.
static void plays_kit(void) {
  char what[64], path[2048];
  int argument;
  FILE *file = script_of(kernel);
  while (file && fscanf(file, "%63s", what) == 1)
    if (!strcmp(what, "put") && fscanf(file, "%d %2047s", &argument, path) == 2) {
      FILE *bytes = fopen(path, "rb");
      char *to = *(char **)launched.arguments[argument];
      unsigned long got = bytes ? 1 : 0;
      while (bytes && got) to += got = fread(to, 1, 1 << 16, bytes);
      if (bytes) fclose(bytes);
    }
  if (file) fclose(file);
  int *at = __heddle_launch.regions ? (int *)__heddle_launch.region[0].base : shared_memory;
  u32 last = launched.blocks > 1 ? 0 : launched.threads - 1;
  if (plays("race") || plays("outside")) {
    if (__heddle_launch.regions && __heddle_launch.region[0].bytes < 4) at = shared_memory;
    enters(0, 0);
    enters(launched.blocks > 1, last);
    if (plays("outside")) __heddle_gpu_access(here(0, 0), (void *)64, 4, 1, STORE, 0);
    else {
      __heddle_gpu_access(here(0, 0), at, 4, 1, STORE, 0);
      __heddle_gpu_access(here(launched.blocks > 1, last), at, 4, 1, STORE, 0);
    }
  }
  if (plays("endless")) {
    enters(0, 0);
    while (!heddle_here.ended) __heddle_gpu_poll(here(0, 0), 0);
  }
  if (plays("barrier")) {
    each(enters);
    __heddle_gpu_site(here(0, 0), 1);
    __heddle_gpu_barrier(here(0, 0), 0, 0);
    for (u32 thread = 1; thread < launched.threads; thread++) leaves(0, thread);
  }
  while (plays("hang") || plays("barrier")) sleep(1);
  failed = plays("fail");
}

static void *play(void *unused) {
  state = calloc(launched.blocks * launched.threads, sizeof *state);
  if (is_kit()) {
    plays_kit();
    free(state);
    running = 0;
    return unused;
  }
  each(enters);
  if (plays("quiet")) {
    for (u32 thread = 0; thread < THREADS; thread++) launched.out[thread] = launched.n;
  } else if (plays("outside")) {
    __heddle_gpu_access(here(0, 5), launched.out + 64, 4, 3, STORE, 0);
  } else if (plays("blocks")) {
    for (u32 block = 0; block < 2; block++) {
      __heddle_gpu_access(here(block, 0), launched.out, 4, 4, STORE, 0);
    }
  } else if (plays("hang") || plays("stuck")) {
    each(computes);
    for (u32 thread = 0; thread < 32; thread++) comes(0, thread);
    // The others wait for lanes of their warp; under the other name, they run.
    for (u32 thread = 32; thread < THREADS && plays("hang"); thread++) __heddle_gpu_warp_barrier(here(0, thread), ~0u);
    for (;;) sleep(1);
  } else if (plays("endless")) {
    // The probe of that name has no race.
    if (!strstr(kernel, "probe")) each(computes);
    for (u32 thread = 0; thread < THREADS;) {
      __heddle_gpu_poll(here(0, thread), 0);
      thread += heddle_here.ended;
    }
  } else if (plays("storm")) {
    for (int n = 0; n < 500000; n++) __heddle_gpu_access(here(n & 1, 7), launched.out, 4, 3, STORE, 0);
    // All of these are sent, faster than anyone can take them.
    for (int n = 0; n < 500000; n++) {
      memset((void *)__heddle_launch.pairs, 0, (__heddle_launch.pair_mask + 1ul) * (n % 32 == 0) * sizeof(struct Pair));
      __heddle_gpu_access(here(n & 1, 7), launched.out, 4, 3, STORE, 0);
    }
    for (int n = 0; n < 500000; n++) __heddle_gpu_access(here(n & 1, 7), launched.out, 4, 3, STORE, 0);
  } else {
    each(computes);
    each(comes);
    each(goes);
    failed = plays("fail");
  }
  each(leaves);
  free(state);
  running = 0;
  return unused;
}

Result cuInit(unsigned flags) { return plays("none") ? NO_DEVICE : OK; }
Result cuDeviceGetCount(int *count) { return *count = 1, OK; }
Result cuDeviceGet(int *device, int number) { return *device = number, OK; }
Result cuDeviceGetName(char *name, int len, int device) { return snprintf(name, len, "stub"), OK; }
Result cuDriverGetVersion(int *version) { return *version = plays("old-driver") ? 11080 : 12080, OK; }
// Multiprocessors, compute capability.
Result cuDeviceGetAttribute(int *value, int which, int device) {
  return *value = which == 16 ? 4 : which == 75 ? (plays("old-device") ? 6 : 9) : 0, OK;
}
Result cuDeviceTotalMem_v2(unsigned long *bytes, int device) { return *bytes = MEMORY, OK; }
Result cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &state, OK; }
Result cuCtxSetCurrent(void *context) { return OK; }

Result cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values) {
  note("load", strlen(image));
  if (sscanf(image, "// kit %255s", key) != 1) key[0] = 0;
  if (!strstr(image, ".visible .entry") || plays("refuse")) {
    snprintf(values[0], 100, "ptxas application ptx input, line 7; fatal: Parsing error");
    return BAD_IMAGE;
  }
  *module = &state;
  return OK;
}
Result cuModuleUnload(void *module) { return note("unload", 0), OK; }
Result cuModuleGetFunction(void **function, void *module, const char *name) {
  snprintf(kernel, sizeof kernel, "%s", name);
  return *function = &state, is_kit() && plays("refuse") ? NOT_FOUND : OK;
}
Result cuModuleGetGlobal_v2(u64 *at, unsigned long *len, void *module, const char *name) {
  if (!strcmp(name, "__heddle_launch")) return *at = (u64)&__heddle_launch, *len = sizeof __heddle_launch, OK;
  if (!strcmp(name, "__heddle_abi_2") && !plays("missing"))
    return *at = (u64)(plays("version") ? &other_version : &__heddle_abi_2), *len = 4, OK;
  static char variables[1 << 16];
  if (is_kit()) return *at = (u64)variables, *len = sizeof variables, OK;
  return NOT_FOUND;
}
Result cuMemAlloc_v2(u64 *at, unsigned long bytes) {
  if (bytes > MEMORY) return NO_MEMORY;
  return note("alloc", bytes), *at = (u64)malloc(bytes), OK;
}
Result cuMemFree_v2(u64 at) { return note("free", 0), free((void *)at), OK; }
Result cuMemcpyHtoD_v2(u64 to, const void *from, unsigned long len) {
  unsettled = 1;
  return memcpy((void *)to, from, len), OK;
}
Result cuMemcpyDtoH_v2(void *to, u64 from, unsigned long len) { return memcpy(to, (void *)from, len), OK; }
Result cuMemcpyHtoDAsync_v2(u64 to, const void *from, unsigned long len, void *stream) {
  return note("ask", len), memcpy((void *)to, from, len), OK;
}
Result cuMemcpyDtoHAsync_v2(void *to, u64 from, unsigned long len, void *stream) {
  return memcpy(to, (void *)from, len), OK;
}
Result cuMemsetD8_v2(u64 at, unsigned char value, unsigned long len) {
  unsettled = 1;
  return memset((void *)at, value, len), OK;
}
Result cuMemHostAlloc(void **at, unsigned long bytes, unsigned flags) { return *at = malloc(bytes), OK; }
Result cuMemFreeHost(void *at) { return free(at), OK; }
Result cuMemHostGetDevicePointer_v2(u64 *device, void *host, unsigned flags) { return *device = (u64)host, OK; }
Result cuStreamCreate(void **stream, unsigned flags) {
  // Of each run the first is the kernel's.
  static int made;
  return *stream = made++ % 2 ? 0 : (void *)&state, OK;
}
Result cuStreamDestroy_v2(void *stream) { return OK; }
Result cuStreamQuery(void *stream) {
  if (!stream) return OK;
  return running ? NOT_READY : failed ? BAD_ADDRESS : OK;
}
// What is copied and filled is done at once here; of a device, it is not.
Result cuStreamSynchronize(void *stream) {
  unsettled = 0;
  return note("settle", 0), OK;
}
Result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned dynamic, void *stream, void **arguments, void **extra) {
  note("launch", gx);
  if (unsettled) abort();
  if (plays("die")) abort();
  while (plays("stall")) sleep(1);
  static void *copies[64];
  static u64 values[64];
  launched.blocks = is_kit() ? gx * gy * gz : gx;
  launched.threads = is_kit() ? bx * by * bz : THREADS;
  if (is_kit()) {
    // Arguments live as long as this call; those that are pointers have eight bytes.
    FILE *file = script_of(kernel);
    char what[64];
    int n;
    while (file && fscanf(file, "%63s", what) == 1)
      if (!strcmp(what, "put") && fscanf(file, "%d %*s", &n) == 1 && n < 64)
        values[n] = *(u64 *)arguments[n], copies[n] = &values[n];
    if (file) fclose(file);
    launched.arguments = copies;
  } else {
    launched.out = *(int **)arguments[0];
    launched.n = *(int *)arguments[1];
  }
  running = 1;
  failed = 0;
  pthread_t thread;
  return pthread_create(&thread, 0, play, 0);
}
Result cuFuncGetAttribute(int *value, int which, void *function) { return *value = sizeof shared_memory, OK; }
Result cuFuncSetAttribute(void *function, int which, int value) { return OK; }
Result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *function, int threads, unsigned long dynamic) {
  return *blocks = 1, OK;
}
Result cuGetErrorName(Result error, const char **name) {
  *name = error == BAD_IMAGE ? "CUDA_ERROR_INVALID_PTX" : error == NO_DEVICE ? "CUDA_ERROR_NO_DEVICE"
        : error == BAD_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : error == NO_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
        : "CUDA_ERROR_NOT_FOUND";
  return OK;
}
Result cuGetErrorString(Result error, const char **text) { return *text = "as the stub says", OK; }
