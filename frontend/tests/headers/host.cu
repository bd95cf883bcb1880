// The host side of a sample.
#include <cublas_v2.h>
#include <cuda.h>
#include <cufft.h>
#include <cufftXt.h>
#include <curand.h>
#include <helper_cuda.h>
#include <helper_functions.h>
#include <nvtx3/nvToolsExt.h>
#include <omp.h>

#include <cstdio>
#include <vector>

__global__ void k(int *p) {
  assert(p);
  p[threadIdx.x] = 1;
}
int main(int argc, char **argv) {
  uint device = findCudaDevice(argc, (const char **)argv);
  int *p;
  checkCudaErrors(cudaMalloc(&p, 4));
  checkCudaErrors(cudaMallocManaged(&p, 4));
  k<<<1, 64>>>(p);
  getLastCudaError("k");
  cudaLaunchConfig_t how = {};
  cudaLaunchAttribute cluster[1];
  cluster[0].id = cudaLaunchAttributeClusterDimension;
  cluster[0].val.clusterDim.x = 2;
  how.attrs = cluster;
  cudaLaunchKernelEx(&how, k, p);
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t runs;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&runs, graph, NULL, NULL, 0);
  cudaGraphLaunch(runs, stream);
  cudaMemPool_t pool;
  cudaDeviceGetDefaultMemPool(&pool, 0);
  cudaMallocAsync((void **)&p, 4, stream);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, device);
  int blocks;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 64, 0);
  cublasHandle_t blas;
  cublasCreate(&blas);
  const float one = 1;
  cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &one, nullptr, 4, nullptr, 4, &one, nullptr, 4);
  cufftHandle plan;
  cufftPlan1d(&plan, 64, CUFFT_C2C, 1);
  cudaLibXtDesc *spread;
  cufftXtMalloc(plan, &spread, CUFFT_XT_FORMAT_INPLACE);
  cufftXtExecDescriptorC2C(plan, spread, spread, CUFFT_FORWARD);
  cublasSetStream_v2(blas, stream);
  StopWatchInterface *timer;
  sdkCreateTimer(&timer);
  nvtxRangePush("all");
  omp_set_num_threads(omp_get_max_threads());
  srand((unsigned)time(NULL));
  fprintf(stderr, "%d\n", prop.multiProcessorCount);
  assert(device == 0);
  return EXIT_SUCCESS;
}
