// A thread ends in inline PTX before it would store what the others read.
// launch: grid=1 block=64
__global__ void k(int *out) {
  __shared__ int s;
  if (threadIdx.x == 0)
    asm volatile("exit;");
  if (threadIdx.x == 0)
    s = 5;
  __syncthreads();
  out[s == 5 ? threadIdx.x : 0] = threadIdx.x; // ~ HD0002
}
