// The greatest up to each element, by shuffles.
// run: grid=1 block=32 gives 0 9e 9e da da da da da f1 f1 f1 f1 f1 f1 f1 f1 f1 f1 f1 f1 f1 fa fa fa fa fa fa fa fa fa fa fa
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void running_maximum(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned most = x(t);
  for (unsigned d = 1; d < 32; d *= 2) {
    unsigned other = __shfl_up_sync(~0u, most, d);
    if (t >= d) most = max(most, other);
  }
  out[t] = most;
}
