// A kernel waits for the grids before it, and lets those after it start.
// launch: grid=1 block=128
#define sync(id, n) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory")
#define arrive_at(id, n) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory")

__global__ void k(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  asm volatile("griddepcontrol.wait;" ::: "memory");
  if (t < 64) {
    s[t] = out[t];
    arrive_at(1, 128);
  } else {
    sync(1, 128);
    out[t] = s[t - 64];
  }
  asm volatile("griddepcontrol.launch_dependents;");
}
