// Two instances of a template launch from one place, and both check the stride.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; }
template <bool Wide> struct Launcher {
  static void go(int *out, int n) {
    if (n < 1 || n > (Wide ? 100 : 10)) return;
    k<<<1, 64>>>(out, n);
  }
};
void (*wide)(int *, int) = &Launcher<true>::go;
void quick(int *out, int n) { Launcher<false>::go(out, n); }
