// Pointers that lie in memory lead to pointers, and what those lead to is only read.
// launch: grid=any block=any
__global__ void k(float *x, float ***rows, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = rows[i][0][1] + rows[0][i][0];
}
