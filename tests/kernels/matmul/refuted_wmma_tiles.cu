// A tile is 16 lines wide, and the second warp starts eight columns later.
// launch: grid=1 block=64
__global__ void k(float *out) {
  __shared__ __align__(32) float s[16 * 32];
  float c[8] = {};
  int warp = threadIdx.x / 32;
  __hmma_m16n16k16_st_c_f32(s + 8 * warp, c, 32, 0);  // ~ HD0101
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
