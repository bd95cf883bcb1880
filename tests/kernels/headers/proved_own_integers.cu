// A source for NVRTC includes nothing and defines names of integers itself, one by means of another.
// launch: grid=any block=any
typedef unsigned long long uint64_t;
typedef uint64_t uintptr_t;
using int8_t = char;
__global__ void k(uint64_t *out, uintptr_t at, int8_t step) {
  atomicAdd(&out[0], at);
  out[1 + blockIdx.x * blockDim.x + threadIdx.x] = step;
}
