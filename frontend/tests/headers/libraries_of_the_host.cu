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

// Processes that exchange halos, and images.
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.h"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "stb_image_write.h"
#include <cuda.h>
#include <mpi.h>

void halos(float *p, int n) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request requests[2];
  MPI_Irecv(p, n, MPI_FLOAT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(p + n, n, MPI_FLOAT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  double sum = 0, all;
  MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS)
    MPI_Abort(MPI_COMM_WORLD, 1);
}

int invert(const char *name) {
  int width, height, channels;
  unsigned char *image = stbi_load(name, &width, &height, &channels, STBI_rgb);
  if (!image)
    return puts(stbi_failure_reason());
  stbi_write_png(name, width, height, 3, image, width * 3);
  stbi_image_free(image);
  return 0;
}

// A module that the driver links.
CUresult linked(CUmodule *module, void *text, size_t size) {
  CUlinkState state;
  CUresult made = cuLinkCreate(0, (CUjit_option *)nullptr, nullptr, &state);
  void *image;
  if (made == CUDA_SUCCESS && cuLinkAddData(state, CU_JIT_INPUT_PTX, text, size, "own", 0, nullptr, nullptr) == CUDA_SUCCESS &&
      cuLinkComplete(state, &image, &size) == CUDA_SUCCESS)
    made = cuModuleLoadDataEx(module, image, 0, nullptr, nullptr);
  cuLinkDestroy(state);
  return made;
}
