// Other sources may call an explicit instance of a template with any stride.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; } // ~ HD0101
template <class T> void launch(T *out, int n) { k<<<1, 64>>>(out, n); }
template void launch<int>(int *, int);
void test(int *out) { launch<int>(out, 4); }
