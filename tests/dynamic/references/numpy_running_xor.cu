// Exclusive or of all elements up to each.
// run: grid=1 block=32 gives 0 9e a2 78 0 17 a2 f1 0 8f a1 6d 7 f a8 ed e 8f 90 2e 72 88 10 26 f3 80 91 3e 70 9c 16 3e
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void running_xor(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned all = x(t);
  for (unsigned d = 1; d < 32; d *= 2) {
    unsigned other = __shfl_up_sync(~0u, all, d);
    if (t >= d) all ^= other;
  }
  out[t] = all;
}
