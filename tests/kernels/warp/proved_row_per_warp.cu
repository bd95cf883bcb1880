// Each warp of a two-dimensional block owns a row of a shared tile and rotates it.
// launch: grid=1 block=32,8
__global__ void k(int *data) {
  __shared__ int s[8][32];
  int lane = threadIdx.x, row = threadIdx.y;
  s[row][lane] = data[row * 32 + lane];
  __syncwarp();
  data[row * 32 + lane] = s[row][(lane + 5) % 32];
}
