// The index is set to the counter wherever the counter changes: the two are one number.
// launch: grid=4 block=64
__global__ void index_beside_counter(const float *in, float *out, long n, float by) {
  long counter = (long)blockIdx.x * blockDim.x + threadIdx.x;
  for (long i = counter; counter < n; counter += blockDim.x * gridDim.x, i = counter)
    out[i] = in[i] * by;
}
