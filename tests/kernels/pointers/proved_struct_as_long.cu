// A structure passed by value is read as a whole and by member; both tell the same.
// launch: grid=1 block=64 passes=barrier-divergence
struct Two { int low, high; };
__global__ void k(int *out, Two two) {
  long long both = *(long long *)&two;
  if ((int)both != two.low && threadIdx.x == 3) __syncthreads();
  if ((int)(both >> 32) != two.high && threadIdx.x == 3) __syncthreads();
  out[threadIdx.x] = 1;
}
