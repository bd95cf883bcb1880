// An open block has at most 1,024 threads, each with an element of its own.
// launch: grid=1 block=any
__global__ void k(int *out) {
  __shared__ int s[1024];
  s[threadIdx.x % 1024] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 1024];
}
