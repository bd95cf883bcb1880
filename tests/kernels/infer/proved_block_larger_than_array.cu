// The threads share slots of an array of 256: not where `blockDim.x <= 256`.
// launch: grid=1 block=any assume="blockDim.x <= 256"
__global__ void k(float *out, const float *in) {
  __shared__ float s[256];
  s[threadIdx.x % 256] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[0];
}
