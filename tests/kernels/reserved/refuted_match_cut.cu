// One element less is reserved than the bin gets.
// launch: grid=1 block=64
__global__ void sort(const int *__restrict__ in, int (*out)[4096], int *tails) {
  int lane = threadIdx.x & 31, key = in[blockIdx.x * blockDim.x + threadIdx.x] & 7;
  unsigned peers = __match_any_sync(~0u, key);
  int leader = __ffs(peers) - 1, first = 0;
  if (lane == leader)
    first = atomicAdd(&tails[key], __popc(peers) - 1);
  first = __shfl_sync(peers, first, leader);
  int at = first + __popc(peers & ((1u << lane) - 1));
  if (at >= 0 && at < 4096)
    out[key][at] = threadIdx.x;   // ~ HD0101
}
