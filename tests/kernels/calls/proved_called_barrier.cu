// The block chooses a function, and one of the two waits at a barrier.
// launch: grid=4 block=64
using Phase = int (*)(int);

__device__ int quick(int i) { return i; }
__device__ int slow(int i) {
    __syncthreads();
    return i + 1;
}

__global__ void k(int *x, const int *is_slow) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Phase phase = is_slow[blockIdx.x] ? slow : quick;
    int value = phase(i);
    __syncthreads();
    x[i] = value;
}
