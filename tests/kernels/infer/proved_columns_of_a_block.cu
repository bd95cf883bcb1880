// Each block writes a row of its own size, which is too long: not where `cols >= blockDim.x`.
// launch: grid=64 block=any assume="cols >= blockDim.x"
__global__ void k(int *out, int cols) { out[blockIdx.x * cols + threadIdx.x] = 1 + blockIdx.x; }
