// A function of the host that lacks its return comes back, and the launch after its call is one of 128 threads.
// launch: as-launched
#include <cstdio>
static int greet(int n) { printf("%d\n", n); }
__global__ void k(int *out) {
  out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // ~ HD0102
}
void run(int *out, int n) {
  greet(n);
  k<<<n, 128>>>(out);
}
