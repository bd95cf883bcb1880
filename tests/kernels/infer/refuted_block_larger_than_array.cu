// The threads share slots of an array of 256 unless the block is at most that.
// launch: grid=1 block=any infer
__global__ void k(float *out, const float *in) {
  __shared__ float s[256];
  s[threadIdx.x % 256] = in[threadIdx.x];  // ~ HD0101
  __syncthreads();
  out[threadIdx.x] = s[0];
}
