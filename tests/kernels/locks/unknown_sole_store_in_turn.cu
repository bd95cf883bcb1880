// The lock lets the threads store their numbers in turn: what stays is not the first thread's.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int lock, data;
  if (threadIdx.x == 0)
    lock = 0;
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) { // ~ HD0002
  }
  __threadfence();
  data = threadIdx.x;
  __threadfence();
  atomicExch(&lock, 0);
  __syncthreads();
  if (data != 0)
    out[0] = threadIdx.x; // ~ HD0002
}
