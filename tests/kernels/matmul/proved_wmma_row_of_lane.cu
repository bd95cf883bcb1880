// A tile is read after a warp barrier, by whichever lanes.
// launch: grid=1 block=32
__global__ void k(float *out) {
  __shared__ __align__(32) float s[16 * 16];
  float c[8] = {};
  if (threadIdx.x < 16)
    s[16 * threadIdx.x] = threadIdx.x;
  __syncwarp();
  __hmma_m16n16k16_ld_c_f32(c, s, 16, 0);
  out[threadIdx.x] = c[0];
}
