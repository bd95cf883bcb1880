// Lane 0 takes the ticket for its warp, polls and answers; the others get the ticket by a shuffle.
// launch: grid=3 block=32 passes=progress
__global__ void k(unsigned *ticket, volatile int *status, int *out) {
  int tile = 0;
  if (threadIdx.x % 32 == 0) tile = atomicAdd(ticket, 1);
  tile = __shfl_sync(~0u, tile, 0);
  if (threadIdx.x % 32 == 0 && tile > 0) while (status[tile - 1] == 0) {}   // ~ HD0501
  __syncwarp();
  out[tile * 32 + threadIdx.x] = tile;
  __threadfence();
  if (threadIdx.x % 32 == 0) status[tile] = 1;
}
