// The first kernel writes a variable of the host through a pointer in its structure; the second gets it.
// launch: as-launched
struct Limits {
  long unused[4];
  int *most;
};
__global__ void set(Limits limits) { *limits.most = 128; }
__global__ void k(int *out, int most) {
  if (most > 100) out[0] = threadIdx.x;  // ~ HD0101
  else out[threadIdx.x] = 1;
}
void run(int *out) {
  int most = 64;
  Limits limits{};
  limits.most = &most;
  set<<<1, 1>>>(limits);
  cudaDeviceSynchronize();
  k<<<1, 64>>>(out, most);
}
