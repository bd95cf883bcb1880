// Rows of vectors at a distance that is not given: where neighbours keep to what they promise, they are apart.
// launch: grid=any block=128 passes=intra-warp-race,intra-block-race
__global__ void k(const float *in, float *out, int stride) {
  int i = threadIdx.x;
  float4 v = reinterpret_cast<const float4 *>(in)[i];
  if (stride != 0)
    *reinterpret_cast<float4 *>(&out[i * stride]) = v;
}
