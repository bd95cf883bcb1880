// The warp that comes first waits for the other one, which does so too only where it comes second.
// launch: grid=1 block=64
__device__ void meet(int id) { asm volatile("bar.sync %0, 64;" ::"r"(id) : "memory"); } // ~ HD0002
__global__ void k(int *out) {
  __shared__ int tickets;
  if (threadIdx.x == 0)
    tickets = 0; // ~ HD0002
  meet(2);
  int ticket = 0;
  if (threadIdx.x % 32 == 0)
    ticket = atomicAdd(&tickets, 1);
  ticket = __shfl_sync(~0u, ticket, 0);
  if (ticket == 0)
    meet(1);
  if (threadIdx.x >= 32)
    meet(1);
  out[threadIdx.x] = ticket;
}
