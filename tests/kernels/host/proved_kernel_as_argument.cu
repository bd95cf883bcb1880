// The kernel is passed to a template that launches it.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }
template <class Kernel, class... Args> static void start(Kernel kernel, int blocks, int threads, Args... args) {
  kernel<<<blocks, threads>>>(args...);
}
void run(int *out, int stride) {
  if (stride > 0 && stride < 100) start(k, 1, 64, out, stride);
}
