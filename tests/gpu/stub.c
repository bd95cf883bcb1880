// A CUDA driver without a device: memory is the host's, and a launch plays a script, chosen by HEDDLE_STUB, that calls the
// device library itself (the same source, compiled for the host). Each call is a line in the file HEDDLE_STUB_LOG.
//
// The scripts know the kernel of tests/gpu/host.rs and its sites: 1 writes s[t], 2 reads s[t ^ 32], 3 writes out[t],
// 4 is the barrier. Blocks have 64 threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../runtime/device/heddle.c"

typedef int Result;
enum { OK = 0, NO_DEVICE = 100, BAD_IMAGE = 218, NOT_FOUND = 500, NOT_READY = 600, BAD_ADDRESS = 700 };
enum { THREADS = 64 };

static volatile int running, failed;
static u32 other_version = 7;
static struct {
  u32 blocks;
  int *out;
  int n;
} launched;

static int plays(const char *name) {
  const char *script = getenv("HEDDLE_STUB");
  return script && !strcmp(script, name);
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
  heddle_here.threads = THREADS;
  heddle_here.block = block;
  heddle_here.ended = 0;
  heddle_here.shared = (u64)shared_memory;
  heddle_here.shared_bytes = sizeof shared_memory;
  return &state[block * THREADS + thread];
}

// As `heddle_runtime::abi` has them: loads and stores of the grid's scope.
enum { LOAD = 0 | 1 << 4, STORE = 1 | 1 << 4 };

static void each(void (*step)(u32 block, u32 thread)) {
  for (u32 block = 0; block < launched.blocks; block++)
    for (u32 thread = 0; thread < THREADS; thread++) step(block, thread);
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

static void *play(void *unused) {
  state = calloc(launched.blocks * THREADS, sizeof *state);
  each(enters);
  if (plays("quiet")) {
    for (u32 thread = 0; thread < THREADS; thread++) launched.out[thread] = launched.n;
  } else if (plays("outside")) {
    __heddle_gpu_access(here(0, 5), launched.out + 64, 4, 3, STORE, 0);
  } else if (plays("hang") || plays("stuck")) {
    each(computes);
    for (u32 thread = 0; thread < 32; thread++) comes(0, thread);
    // The others wait for lanes of their warp; under the other name, they run.
    for (u32 thread = 32; thread < THREADS && plays("hang"); thread++) __heddle_gpu_warp_barrier(here(0, thread), ~0u);
    for (;;) sleep(1);
  } else if (plays("endless")) {
    each(computes);
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
Result cuDeviceGetAttribute(int *value, int which, int device) { return *value = 4, OK; }
Result cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &state, OK; }
Result cuCtxSetCurrent(void *context) { return OK; }

Result cuModuleLoadDataEx(void **module, const void *image, unsigned n, int *options, void **values) {
  note("load", strlen(image));
  if (!strstr(image, ".visible .entry") || plays("refuse")) {
    snprintf(values[0], 100, "ptxas application ptx input, line 7; fatal: Parsing error");
    return BAD_IMAGE;
  }
  *module = &state;
  return OK;
}
Result cuModuleGetFunction(void **function, void *module, const char *name) { return *function = &state, OK; }
Result cuModuleGetGlobal_v2(u64 *at, unsigned long *len, void *module, const char *name) {
  if (!strcmp(name, "__heddle_launch")) return *at = (u64)&__heddle_launch, *len = sizeof __heddle_launch, OK;
  if (!strcmp(name, "__heddle_abi_1") && !plays("missing"))
    return *at = (u64)(plays("version") ? &other_version : &__heddle_abi_1), *len = 4, OK;
  return NOT_FOUND;
}
Result cuMemAlloc_v2(u64 *at, unsigned long bytes) { return note("alloc", bytes), *at = (u64)malloc(bytes), OK; }
Result cuMemFree_v2(u64 at) { return note("free", 0), free((void *)at), OK; }
Result cuMemcpyHtoD_v2(u64 to, const void *from, unsigned long len) { return memcpy((void *)to, from, len), OK; }
Result cuMemcpyDtoH_v2(void *to, u64 from, unsigned long len) { return memcpy(to, (void *)from, len), OK; }
Result cuMemcpyHtoDAsync_v2(u64 to, const void *from, unsigned long len, void *stream) {
  return note("ask", len), memcpy((void *)to, from, len), OK;
}
Result cuMemcpyDtoHAsync_v2(void *to, u64 from, unsigned long len, void *stream) {
  return memcpy(to, (void *)from, len), OK;
}
Result cuMemsetD8_v2(u64 at, unsigned char value, unsigned long len) { return memset((void *)at, value, len), OK; }
Result cuMemHostAlloc(void **at, unsigned long bytes, unsigned flags) { return *at = malloc(bytes), OK; }
Result cuMemHostGetDevicePointer_v2(u64 *device, void *host, unsigned flags) { return *device = (u64)host, OK; }
Result cuStreamCreate(void **stream, unsigned flags) {
  static int made;
  return *stream = made++ ? 0 : (void *)&state, OK;
}
Result cuStreamQuery(void *stream) {
  if (!stream) return OK;
  return running ? NOT_READY : failed ? BAD_ADDRESS : OK;
}
Result cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                      unsigned dynamic, void *stream, void **arguments, void **extra) {
  note("launch", gx);
  launched.blocks = gx;
  launched.out = *(int **)arguments[0];
  launched.n = *(int *)arguments[1];
  running = 1;
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
        : error == BAD_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_NOT_FOUND";
  return OK;
}
Result cuGetErrorString(Result error, const char **text) { return *text = "as the stub says", OK; }
