// The first kernel writes memory of the device through a pointer in its structure; the second gets a number of the host.
// launch: as-launched
struct Limits {
  long unused[4];
  int *most;
};
__global__ void set(Limits limits) { *limits.most = 128; }
__global__ void k(int *out, int most) {
  if (most > 100) out[0] = threadIdx.x;
  else out[threadIdx.x] = 1;
}
void run(int *out, int *on_device) {
  int most = 64;
  Limits limits{};
  limits.most = on_device;
  set<<<1, 1>>>(limits);
  cudaDeviceSynchronize();
  k<<<1, 64>>>(out, most);
}
