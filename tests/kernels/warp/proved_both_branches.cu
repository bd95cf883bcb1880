// The halves of a warp meet at one barrier from two branches: the store is before it, the load after it.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x, v = 0;
  if (lane < 16) { if (lane == 0) z = 3; __syncwarp(); }
  else { __syncwarp(); v = z; }
  out[lane] = v;
}
