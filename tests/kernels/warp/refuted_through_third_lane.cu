// The barriers stand in the other order: lane 16 meets lane 31 before it meets lane 0.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x;
  if (lane == 0) z = 7;                    // ~ HD0104
  if (lane >= 16) __syncwarp(0xffff0000);
  if (lane <= 16) __syncwarp(0x0001ffff);
  if (lane == 31) out[lane] = z;
}
