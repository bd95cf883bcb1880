// The width of a row is another one for the host than for the device.
// launch: as-launched
#ifdef __CUDA_ARCH__
#define ROW 32
#else
#define ROW 64
#endif
__global__ void k(int *out) { out[blockIdx.x * ROW + threadIdx.x] = blockIdx.x; }  // ~ HD0102
void run(int *out) { k<<<4, ROW>>>(out); }
