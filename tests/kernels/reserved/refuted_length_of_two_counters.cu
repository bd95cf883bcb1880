// Two counters number one array: ranges of the one are not apart from those of the other.
// launch: grid=1 block=64
__global__ void k(const int *__restrict__ length, int *out, int *tail) {
  int d = length[threadIdx.x] & 15;
  int first = atomicAdd(&tail[threadIdx.x & 1], d);
  if (d > 0)
    out[first] = threadIdx.x;   // ~ HD0101
}
