// Who takes the last ticket stores, and that is another thread in each run.
// launch: grid=1 block=64
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); }
__global__ void k(int *out) {
  __shared__ int data[64], tickets;
  if (threadIdx.x == 0)
    tickets = 0;
  meet(1);
  if (atomicAdd(&tickets, 1) == 63)
    data[0] = 1; // ~ HD0002
  if (threadIdx.x == 63)
    out[0] = data[0];
  meet(2);
}
