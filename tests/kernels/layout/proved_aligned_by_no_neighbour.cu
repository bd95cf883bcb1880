// Every fourth thread stores a vector: those that do are at aligned addresses.
// launch: grid=1 block=64
__global__ void k(float *out) {
  int t = threadIdx.x;
  if (t % 4 == 0)
    *reinterpret_cast<float4 *>(out + t) = make_float4(t, 1, 2, 3);
}
