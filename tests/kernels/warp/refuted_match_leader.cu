// Two digits share a counter, and each has a leader.
// launch: grid=2 block=32
__global__ void k(const unsigned *keys, unsigned *out) {
  __shared__ unsigned count[16];
  int lane = threadIdx.x;
  if (lane < 16)
    count[lane] = 0;
  __syncwarp();
  unsigned digit = keys[lane] % 16, same = __match_any_sync(~0u, digit);
  if (lane == 31 - __clz(same))
    count[digit % 8] += __popc(same);   // ~ HD0104
  __syncwarp();
  if (lane < 16)
    out[blockIdx.x * 16 + lane] = count[lane];
}
