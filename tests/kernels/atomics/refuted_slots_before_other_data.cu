// What all threads of the launch take from a counter that starts at zero reaches what they write beside it.
// launch: grid=1 block=128 passes=races
__global__ void k(int *out, int *count) {
  int t = threadIdx.x;
  out[127 + t] = t;  // ~ HD0101
  out[atomicAdd(count, 1)] = -t;
}
