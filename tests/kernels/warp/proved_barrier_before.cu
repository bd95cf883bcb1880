// Both lanes wait twice, at the same places.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x, v = 0;
  if (lane < 2) __syncwarp(3);
  if (lane == 1) z = 1;
  if (lane < 2) __syncwarp(3);
  if (lane == 0) v = z;
  out[lane] = v;
}
