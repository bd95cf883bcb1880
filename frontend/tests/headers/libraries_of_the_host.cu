// Host code that exchanges between devices, watches them and solves systems of equations.
#include <cusolverDn.h>
#include <nccl.h>
#include <nvml.h>

__global__ void k(float *p) { p[threadIdx.x] = 1; }

bool run(float *p, int n, ncclComm_t comm, cudaStream_t stream) {
  k<<<1, 64, 0, stream>>>(p);
  if (ncclAllReduce(p, p, n, ncclFloat, ncclSum, comm, stream) != ncclSuccess)
    return false;
  nvmlDevice_t device;
  unsigned int clock;
  nvmlInit();
  if (nvmlDeviceGetHandleByIndex(0, &device) != NVML_SUCCESS)
    return false;
  nvmlDeviceGetClockInfo(device, NVML_CLOCK_MEM, &clock);
  cusolverDnHandle_t solver;
  cusolverDnCreate(&solver);
  int room, *info = nullptr;
  cusolverDnSpotrf_bufferSize(solver, CUBLAS_FILL_MODE_LOWER, n, p, n, &room);
  cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_LOWER, n, p, n, p + n * n, room, info);
  cusolverDnDsyevd_bufferSize(solver, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_UPPER, n, nullptr, n, nullptr, &room);
  return cusolverDnDestroy(solver) == CUSOLVER_STATUS_SUCCESS;
}

// Names of old programs.
#include <cub/cub.cuh>
#include <cublas_v2.h>
#include <opencv2/highgui/highgui.hpp>

double seconds(const char *name) {
  auto start = std::chrono::high_resolution_clock::now();
  cublasGemmAlgo_t algorithm = *rindex(name, '/') ? CUBLAS_GEMM_ALGO15_TENSOR_OP : CUBLAS_GEMM_ALGO0_TENSOR_OP;
  cv::imread(name, algorithm == CUBLAS_GEMM_AUTOTUNE ? CV_LOAD_IMAGE_UNCHANGED : CV_LOAD_IMAGE_COLOR);
  return std::chrono::duration<double>(std::chrono::high_resolution_clock::now() - start).count();
}
