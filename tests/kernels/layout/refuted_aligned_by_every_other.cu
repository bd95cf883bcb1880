// Half of the factor is forgotten: of two neighbours one is at no aligned address.
// launch: grid=any block=128 passes=intra-warp-race,intra-block-race,inter-block-race
__global__ void k(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 4) {
    float4 v = reinterpret_cast<const float4 *>(in)[i];
    v.x += i;
    *reinterpret_cast<float4 *>(&out[2 * i]) = v;  // ~ HD0101
  }
}
