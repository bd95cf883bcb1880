// The factor of a vector store is forgotten: no two neighbours are at aligned addresses.
// launch: grid=1 block=64
__global__ void k(float *out) {
  int t = threadIdx.x;
  *reinterpret_cast<float4 *>(out + t) = make_float4(t, 1, 2, 3);  // ~ HD0101
}
