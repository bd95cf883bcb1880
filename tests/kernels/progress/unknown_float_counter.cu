// What is polled is a sum of floats.
// launch: grid=3 block=64 passes=progress
__global__ void k(float *sum) {
  if (threadIdx.x == 0) {
    atomicAdd(sum, 1.0f);   // ~ HD0001
    while (*(volatile float *)sum < 3.0f) {}
  }
}
