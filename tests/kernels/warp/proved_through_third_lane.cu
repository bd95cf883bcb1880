// Lane 0's store reaches lane 31 through lane 16, which takes part in both warp barriers.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x;
  if (lane == 0) z = 7;
  if (lane <= 16) __syncwarp(0x0001ffff);
  if (lane >= 16) __syncwarp(0xffff0000);
  if (lane == 31) out[lane] = z;
}
