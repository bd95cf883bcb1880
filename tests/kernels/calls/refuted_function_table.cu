// Threads choose from a table, and one function of it stores one place further.
// launch: grid=2 block=64
using Step = void (*)(float *, int);

__device__ void own(float *x, int i) { x[i] = 1.0f; } // ~ HD0101
__device__ void next(float *x, int i) { x[i + 1] = 2.0f * (float)i; }

__device__ Step steps[2] = {own, next};

__global__ void k(float *x, const int *which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    steps[which[i] & 1](x, i);
}
