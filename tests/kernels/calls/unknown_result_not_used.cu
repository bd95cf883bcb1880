// A function of another file may do more than its result says, so that it stays where nothing uses that.
// launch: grid=1 block=1
__device__ float clamp(float x, float low, float high);
__global__ void k(float *out) {
  clamp(out[0], 0, 1); // ~ HD0001
}
