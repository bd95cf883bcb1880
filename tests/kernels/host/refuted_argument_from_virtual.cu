// The launch whose argument comes from a virtual function has more threads than the kernel is written for.
// launch: as-launched
struct Metric { virtual float weight(); };
__global__ void k(float *out, float weight) { out[blockIdx.x * 32 + threadIdx.x] = weight * blockIdx.x; }  // ~ HD0102
void run(float *out, Metric *metric) {
  k<<<4, 64>>>(out, metric->weight());
}
