// The load stands before the barrier of its branch, although the barrier of the other branch is between the two in the text.
// launch: grid=1 block=32
__global__ void k(int *out) {
  __shared__ int z;
  int lane = threadIdx.x, v = 0;
  if (lane < 16) { if (lane == 0) z = 3; __syncwarp(); }  // ~ HD0104
  else { v = z; __syncwarp(); }
  out[lane] = v;
}
