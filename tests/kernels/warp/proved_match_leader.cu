// The highest lane of those with one digit counts for all of them.
// launch: grid=2 block=32
__global__ void k(const unsigned *keys, unsigned *out) {
  __shared__ unsigned count[16];
  int lane = threadIdx.x;
  if (lane < 16)
    count[lane] = 0;
  __syncwarp();
  unsigned digit = keys[lane] % 16, same = __match_any_sync(~0u, digit);
  if (lane == 31 - __clz(same))
    count[digit] += __popc(same);
  __syncwarp();
  if (lane < 16)
    out[blockIdx.x * 16 + lane] = count[lane];
}
