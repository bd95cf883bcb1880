// A macro has the whole kernel, with a return that all threads take or none: some pass the barrier by.
// launch: grid=1 block=64 passes=barrier-divergence
#define KERNEL(name)                              \
  __global__ void name(int *out, int c, int n) {  \
    int t = threadIdx.x;                          \
    if (n == 77)                                  \
      return;                                     \
    if (t < c)                                    \
      out[1] = 1;                                 \
    else {                                        \
      __syncthreads();                            \
      out[0] = 1;                                 \
    }                                             \
  }
KERNEL(k)  // ~ HD0201
