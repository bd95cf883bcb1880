// One variable, with two indices that meet.
// launch: grid=1 block=64
__device__ int arr[64];
__global__ void k(int *p) {
  int t = threadIdx.x;
  arr[t] = t;   // ~ HD0101
  arr[(t + 1) & 63] = 2 * t;
}
