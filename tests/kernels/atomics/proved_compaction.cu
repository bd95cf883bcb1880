// Threads with a positive value draw a ticket from a shared counter and store it there.
// launch: grid=1 block=any
__global__ void k(const int *in, int *out, int *count) {
  __shared__ int next;
  unsigned t = threadIdx.x;
  if (t == 0)
    next = 0;
  __syncthreads();
  if (in[t] > 0)
    out[atomicAdd(&next, 1)] = in[t];
  __syncthreads();
  if (t == 0)
    *count = next;
}
