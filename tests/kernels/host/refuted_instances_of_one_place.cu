// Two instances of a template launch from one place, and one of them checks nothing.
// launch: as-launched
__global__ void k(int *out, int stride) { out[threadIdx.x * stride] = threadIdx.x; } // ~ HD0101
template <bool Checked> struct Launcher {
  static void go(int *out, int n) {
    if (Checked)
      if (n < 1 || n > 100) return;
    k<<<1, 64>>>(out, n);
  }
};
void (*checked)(int *, int) = &Launcher<true>::go;
void quick(int *out, int n) { Launcher<false>::go(out, n); }
