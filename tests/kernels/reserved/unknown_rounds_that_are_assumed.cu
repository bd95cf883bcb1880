// Each thread takes at least 5000 rooms of 2^20: the counter wraps around in every run.
// launch: grid=1 block=64 passes=races
__global__ void k(unsigned *tail, int *out, const int *limit) {
  int n = limit[0];
  __builtin_assume(n >= 5000);
  for (int i = 0; i < n; i++) {
    unsigned room = atomicAdd(tail, 1u << 20);
    out[room >> 20] = threadIdx.x; // ~ HD0002
  }
}
