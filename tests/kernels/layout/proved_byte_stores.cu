// Neighbouring bytes of a word are written by different threads without a race.
// launch: grid=any block=any
__global__ void k(const int *in, unsigned char *out) {
  size_t g = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  out[g] = in[g] & 255;
}
