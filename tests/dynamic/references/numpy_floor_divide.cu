// Quotients rounded down.
// run: grid=1 block=32 gives ffffffed 4 fffffff6 c fffffffe fffffff1 7 fffffff9 10 2 fffffff4 a fffffffc ffffffee 5 fffffff7 e 0 fffffff2 8 fffffffa 11 3 fffffff5 c fffffffe fffffff0 6 fffffff8 f 1 fffffff3
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void floor_divide(int *out) {
  unsigned t = threadIdx.x;
  int a = (int)x(t) - 128;
  out[t] = a / 7 - (a % 7 < 0);
}
