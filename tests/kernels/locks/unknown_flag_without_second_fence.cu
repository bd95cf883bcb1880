// A volatile word is published with a fence, and read behind the flag without one.
// launch: grid=2 block=1 passes=barrier-divergence,races
__device__ int flag;
__global__ void k(volatile int *data, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 1; // ~ HD0002
    __threadfence();
    atomicExch(&flag, 1);
  } else {
    while (atomicExch(&flag, 0) == 0) {
    }
    out[0] = data[0];
  }
}
