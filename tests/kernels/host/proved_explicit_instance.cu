// An instance that only this source makes is called with one stride.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }
template <class T> void launch(T *out, int n) { k<<<1, 64>>>(out, n); }
void test(int *out) { launch<int>(out, 4); }
