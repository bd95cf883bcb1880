// Two counters, each for an array of its own.
// launch: grid=any block=64
__global__ void k(const int *__restrict__ length, int (*out)[1000], int *tail) {
  int d = length[threadIdx.x] & 15, side = threadIdx.x & 1;
  int first = atomicAdd(&tail[side], d);
  for (int i = 0; i < d; i++)
    if (first + i < 1000 && first >= 0)
      out[side][first + i] = threadIdx.x;
}
