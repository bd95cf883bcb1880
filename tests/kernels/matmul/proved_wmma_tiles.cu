// Warps store tiles side by side; after a barrier each loads a tile that others stored.
// launch: grid=1 block=64
__global__ void k(float *out) {
  __shared__ __align__(32) float s[16 * 32];
  float c[8] = {};
  int warp = threadIdx.x / 32;
  __hmma_m16n16k16_st_c_f32(s + 16 * warp, c, 32, 0);
  __syncthreads();
  __hmma_m16n16k16_ld_c_f32(c, s + 16 * (1 - warp), 32, 0);
  out[threadIdx.x] = c[0];
}
