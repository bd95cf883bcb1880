// A tile is read by the warp, each line by a lane that nobody names: not by the one that stored it.
// launch: grid=1 block=32
__global__ void k(float *out) {
  __shared__ __align__(32) float s[16 * 16];
  float c[8] = {};
  if (threadIdx.x < 16)
    s[16 * threadIdx.x] = threadIdx.x;  // ~ HD0002
  __hmma_m16n16k16_ld_c_f32(c, s, 16, 0);
  out[threadIdx.x] = c[0];
}
