// Two shuffles with masks of some lanes may meet each other.
// launch: grid=any block=128
__global__ void keep(const int *__restrict__ in, int *out, int *tail) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, first = 0;
  if (in[i] > 0) {
    unsigned mates = __activemask();
    int leader = __ffs(mates) - 1;
    if (lane == leader)
      first = atomicAdd(tail, __popc(mates));
    if (in[i] > 7)
      first = __shfl_sync(mates, first, leader);
    else
      first = __shfl_sync(mates, -1, leader);
    out[first + __popc(mates & ((1u << lane) - 1))] = i;   // ~ HD0101 HD0002
  }
}
