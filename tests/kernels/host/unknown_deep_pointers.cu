// The host passes one table twice: through the second the kernel makes it lead to where it stores.
// launch: as-launched
__global__ void k(float ***rows, float **other, float ***again, float *x) {
    int i = threadIdx.x;
    if (i == 0) {
        again[0] = other;
        other[0] = x;
    }
    __syncthreads();
    x[i + 1] = rows[0][0][i]; // ~ HD0002
}

int main() {
    float ***rows, **other, *x;
    cudaMalloc(&rows, 64 * sizeof(float **));
    cudaMalloc(&other, 64 * sizeof(float *));
    cudaMalloc(&x, 65 * sizeof(float));
    k<<<1, 64>>>(rows, other, rows, x);
    return 0;
}
