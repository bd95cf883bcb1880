// A function of another file gives memory, which its declaration says is new each time.
// launch: as-launched
struct Pool;
__attribute__((malloc)) float *take(Pool *pool);

__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + 1];
}

void run(Pool *pool) {
  float *in = take(pool), *out = take(pool);
  neighbours<<<8, 64>>>(in, out);
}
