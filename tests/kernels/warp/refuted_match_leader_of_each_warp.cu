// Each of two warps has a leader for the digit.
// launch: grid=2 block=64
__global__ void k(const unsigned *keys, unsigned *out) {
  __shared__ unsigned count[16];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 16)
    count[threadIdx.x] = 0;
  __syncthreads();
  unsigned digit = keys[threadIdx.x] % 16, same = __match_any_sync(~0u, digit);
  if (lane == 31 - __clz(same))
    count[digit] += __popc(same);   // ~ HD0101
  __syncthreads();
  if (threadIdx.x < 16)
    out[blockIdx.x * 16 + threadIdx.x] = count[threadIdx.x];
}
