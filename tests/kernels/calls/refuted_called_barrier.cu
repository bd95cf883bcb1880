// Each thread chooses its function, and one of the two waits at a barrier.
// launch: grid=1 block=64
using Phase = int (*)(int);

__device__ int quick(int i) { return i; }
__device__ int slow(int i) {
    __syncthreads(); // ~ HD0201
    return i + 1;
}

__global__ void k(int *x, const int *is_slow) {
    int i = threadIdx.x;
    Phase phase = is_slow[i] ? slow : quick;
    int value = phase(i);
    __syncthreads();
    x[i] = value;
}
