// The lock is taken from the start, so that the first launch hangs: initialisers are not followed.
// launch: grid=2 block=32
static __device__ int lock = 1;
__global__ void k() {
  if (threadIdx.x == 0) {
    while (atomicExch(&lock, 1) != 0) { // ~ HD0002
    }
    atomicExch(&lock, 0);
  }
}
