// Each block writes a row of its own size, which is too long unless there are as many columns.
// launch: grid=64 block=any infer
__global__ void k(int *out, int cols) { out[blockIdx.x * cols + threadIdx.x] = 1 + blockIdx.x; }  // ~ HD0102
