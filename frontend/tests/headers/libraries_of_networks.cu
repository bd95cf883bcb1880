// Host code with layers of networks, programs that are compiled at run time, and marks for profilers.
#include <cublasXt.h>
#include <cudnn.h>
#include <cusolverSp.h>
#include <cusparse.h>
#include <nvJitLink.h>
#include <nvrtc.h>
#include <nvtx3/nvtx3.hpp>

#include <string>

__global__ void k(float *p) { p[threadIdx.x] = 1; }

struct mine {
  static constexpr const char *name = "mine";
};
bool convolved(float *p, cudaStream_t stream) {
  NVTX3_FUNC_RANGE();
  nvtx3::scoped_range range{"all", nvtx3::rgb{1, 2, 3}, nvtx3::payload{3}};
  nvtx3::scoped_range_in<mine> other{std::string("part")};
  auto handle = nvtx3::start_range("x");
  nvtx3::end_range(handle);
  nvtx3::mark("here");
  k<<<1, 64, 0, stream>>>(p);
  cudnnHandle_t dnn;
  cudnnTensorDescriptor_t in;
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t how;
  cudnnCreate(&dnn);
  cudnnSetStream(dnn, stream);
  cudnnCreateTensorDescriptor(&in);
  cudnnCreateFilterDescriptor(&filter);
  cudnnCreateConvolutionDescriptor(&how);
  cudnnSetTensor4dDescriptor(in, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 3, 32, 32);
  cudnnSetConvolution2dDescriptor(how, 1, 1, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
  const float one = 1, zero = 0;
  cudnnConvolutionForward(dnn, &one, in, p, filter, p, how, CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0,
                          &zero, in, p);
  return cudnnDestroyTensorDescriptor(in) == CUDNN_STATUS_SUCCESS;
}
bool compiled(const char *text, nvJitLinkHandle linker) {
  nvrtcProgram program;
  const char *options[] = {"--gpu-architecture=compute_80"};
  nvrtcCreateProgram(&program, text, "k.cu", 0, nullptr, nullptr);
  if (nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS)
    return false;
  size_t size;
  nvrtcGetPTXSize(program, &size);
  nvJitLinkAddData(linker, NVJITLINK_INPUT_PTX, text, size, "k");
  return nvrtcDestroyProgram(&program) == NVRTC_SUCCESS;
}
