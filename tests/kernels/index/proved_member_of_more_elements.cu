// The same structure, and each thread has its own element of the memory behind it.
// launch: grid=1 block=any
struct Rows {
  int count;
  int element[2];
};
__global__ void rows(int *out, const int *at) {
  __shared__ Rows r[1024];
  r[threadIdx.x].element[threadIdx.x & 1] = threadIdx.x;
  out[threadIdx.x] = 1;
}
