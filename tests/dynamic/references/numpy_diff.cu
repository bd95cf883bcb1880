// Differences of neighbours, which wrap around.
// run: grid=1 block=32 gives 9e ffffff9e 9e ffffff9e ffffff9f 9e ffffff9e 9e ffffff9e ffffff9f 9e ffffff9e ffffff9e 9f ffffff9e 9e ffffff9e ffffff9e 9f ffffff9e 9e ffffff9e ffffff9e 9f ffffff9e ffffff9e 9e ffffff9f 9e ffffff9e ffffff9e
__device__ unsigned x(unsigned i) { return i * 2654435761u >> 24; }

__global__ void diff(unsigned *out) {
  unsigned t = threadIdx.x;
  unsigned next = __shfl_down_sync(~0u, x(t), 1);
  if (t < 31) out[t] = next - x(t);
}
