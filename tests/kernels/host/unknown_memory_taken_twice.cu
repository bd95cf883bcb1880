// A function of another file gives memory, which may be the same for one pool.
// launch: as-launched
struct Pool;
float *take(Pool *pool);

__global__ void neighbours(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x; // ~ HD0002
  out[i] = in[i + 1];
}

void run(Pool *pool) {
  float *in = take(pool), *out = take(pool);
  neighbours<<<8, 64>>>(in, out);
}
