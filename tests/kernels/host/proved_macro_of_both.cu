// The width of a row is the same for host and device.
// launch: as-launched
#define ROW 64
__global__ void k(int *out) { out[blockIdx.x * ROW + threadIdx.x] = blockIdx.x; }
void run(int *out) { k<<<4, ROW>>>(out); }
