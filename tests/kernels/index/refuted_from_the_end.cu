// A pointer behind the last element is none of an element: threads that go back from it are where blocks of 65 threads are.
// launch: grid=1 block=any
__global__ void back(int *out) {
  __shared__ int s[64];
  int *end = s + threadIdx.x;
  if (threadIdx.x > 0)
    end[-1] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 64 || threadIdx.x == 1)
    *out = s[threadIdx.x - 1];  // ~ HD0101
}
