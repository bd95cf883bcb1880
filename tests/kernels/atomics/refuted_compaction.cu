// The counter of a compaction is reset without a barrier before the tickets are drawn.
// launch: grid=1 block=any
__global__ void k(const int *in, int *out, int *count) {
  __shared__ int next;
  unsigned t = threadIdx.x;
  if (t == 0)
    next = 0;   // ~ HD0101
  if (in[t] > 0)
    atomicAdd(&next, 1);
  __syncthreads();
  if (t == 0)
    *count = next;
}
