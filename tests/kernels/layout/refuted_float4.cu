// A vector of four is stored at every second element.
// launch: grid=1 block=64
struct Quad { float x, y, z, w; };
__global__ void k(const Quad *in, float *out) {
  int t = threadIdx.x;
  *(Quad *)(out + 2 * t) = in[t];   // ~ HD0101
}
