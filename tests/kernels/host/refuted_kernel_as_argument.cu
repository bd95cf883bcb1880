// The kernel is passed to a template that launches it with a stride of zero.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101
template <class Kernel, class... Args> static void start(Kernel kernel, int blocks, int threads, Args... args) {
  kernel<<<blocks, threads>>>(args...);
}
void run(int *out, int stride) { start(k, 1, 64, out, stride / 2); }
