// A bitonic sort.
// run: grid=1 block=32 gives 0 8 11 17 1f 28 2e 36 3c 45 4e 53 5c 6a 73 78 81 8a 8f 98 9e a7 af b5 be cc d5 da e3 ec f1 fa
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void sort(unsigned *out) {
  unsigned t = threadIdx.x;
  __shared__ unsigned s[32];
  s[t] = x(t);
  for (int size = 2; size <= 32; size *= 2)
    for (int d = size / 2; d; d /= 2) {
      __syncthreads();
      int other = t ^ d;
      unsigned a = s[t], b = s[other];
      bool up = (t & size) == 0, low = t < other;
      __syncthreads();
      s[t] = (low == up) ? min(a, b) : max(a, b);
    }
  out[t] = s[t];
}
