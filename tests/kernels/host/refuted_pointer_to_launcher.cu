// A table of functions has the launcher: anybody may call it.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }  // ~ HD0101
static void launch(int *out, int stride) { k<<<1, 64>>>(out, stride); }
void (*table[])(int *, int) = {launch};
void run(int *out) { launch(out, 8); }
