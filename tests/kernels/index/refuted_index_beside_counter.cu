// The index takes the value of the counter before a step that is as long as a block, so blocks write the same places.
// launch: grid=4 block=64
__global__ void index_beside_counter(const float *in, float *out, long n, float by) {
  long counter = (long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long i = counter; counter < n; i = counter, counter += blockDim.x)
    out[i] = in[i] * by + counter; // ~ HD0102
}
