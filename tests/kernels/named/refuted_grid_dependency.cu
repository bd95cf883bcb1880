// Waiting for the grids before it orders no threads of this one.
// launch: grid=1 block=128
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (t < 64) {
    s[t] = out[t]; // ~ HD0101
    arrive_at(1, 128);
  } else {
    out[t] = s[t - 64];
    sync(1, 128);
  }
  asm volatile("griddepcontrol.launch_dependents;");
}
