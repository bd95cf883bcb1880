// The masks of lanes that CUB gives, and the interface of cuBLAS that came first.
// launch: grid=1 block=32
#include <cub/util_ptx.cuh>
#include <cublas.h>
__global__ void k(int *out, const int *in) {
  bool wanted = in[threadIdx.x] > 0;
  unsigned all = __ballot_sync(~0u, wanted);
  if (wanted)
    out[__popc(all & cub::LaneMaskLt())] = threadIdx.x;
}
void on_host(float *a, float *b, float *c) {
  cublasInit();
  cublasSgemm('n', 't', 4, 4, 4, -2.0f, a, 4, b, 4, 0.0f, c, 4);
  cublasShutdown();
}
