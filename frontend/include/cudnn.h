// Layers of neural networks, as declarations: those of the classic interface.
#pragma once
#include "heddle/device.h"

#define CUDNN_MAJOR 9
#define CUDNN_MINOR 0
#define CUDNN_PATCHLEVEL 0
#define CUDNN_VERSION 90000
#define CUDNNWINAPI
#define CUDNN_DIM_MAX 8
#define CUDNN_BN_MIN_EPSILON 0.0

typedef enum {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1,
  CUDNN_STATUS_ALLOC_FAILED = 2,
  CUDNN_STATUS_BAD_PARAM = 3,
  CUDNN_STATUS_INTERNAL_ERROR = 4,
  CUDNN_STATUS_INVALID_VALUE = 5,
  CUDNN_STATUS_ARCH_MISMATCH = 6,
  CUDNN_STATUS_MAPPING_ERROR = 7,
  CUDNN_STATUS_EXECUTION_FAILED = 8,
  CUDNN_STATUS_NOT_SUPPORTED = 9,
  CUDNN_STATUS_LICENSE_ERROR = 10
} cudnnStatus_t;
typedef enum {
  CUDNN_DATA_FLOAT = 0,
  CUDNN_DATA_DOUBLE = 1,
  CUDNN_DATA_HALF = 2,
  CUDNN_DATA_INT8 = 3,
  CUDNN_DATA_INT32 = 4,
  CUDNN_DATA_INT8x4 = 5,
  CUDNN_DATA_UINT8 = 6,
  CUDNN_DATA_BFLOAT16 = 9,
  CUDNN_DATA_INT64 = 10
} cudnnDataType_t;
typedef enum { CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC, CUDNN_TENSOR_NCHW_VECT_C } cudnnTensorFormat_t;
typedef enum { CUDNN_NOT_PROPAGATE_NAN, CUDNN_PROPAGATE_NAN } cudnnNanPropagation_t;
typedef enum { CUDNN_NON_DETERMINISTIC, CUDNN_DETERMINISTIC } cudnnDeterminism_t;
typedef enum { CUDNN_DEFAULT_MATH, CUDNN_TENSOR_OP_MATH, CUDNN_TENSOR_OP_MATH_ALLOW_CONVERSION, CUDNN_FMA_MATH } cudnnMathType_t;
typedef enum { CUDNN_CONVOLUTION, CUDNN_CROSS_CORRELATION } cudnnConvolutionMode_t;
typedef enum {
  CUDNN_ACTIVATION_SIGMOID,
  CUDNN_ACTIVATION_RELU,
  CUDNN_ACTIVATION_TANH,
  CUDNN_ACTIVATION_CLIPPED_RELU,
  CUDNN_ACTIVATION_ELU,
  CUDNN_ACTIVATION_IDENTITY,
  CUDNN_ACTIVATION_SWISH
} cudnnActivationMode_t;
typedef enum {
  CUDNN_POOLING_MAX,
  CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
  CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING,
  CUDNN_POOLING_MAX_DETERMINISTIC
} cudnnPoolingMode_t;
typedef enum { CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_LOG } cudnnSoftmaxAlgorithm_t;
typedef enum { CUDNN_SOFTMAX_MODE_INSTANCE, CUDNN_SOFTMAX_MODE_CHANNEL } cudnnSoftmaxMode_t;
typedef enum { CUDNN_BATCHNORM_PER_ACTIVATION, CUDNN_BATCHNORM_SPATIAL, CUDNN_BATCHNORM_SPATIAL_PERSISTENT } cudnnBatchNormMode_t;
typedef enum {
  CUDNN_OP_TENSOR_ADD,
  CUDNN_OP_TENSOR_MUL,
  CUDNN_OP_TENSOR_MIN,
  CUDNN_OP_TENSOR_MAX,
  CUDNN_OP_TENSOR_SQRT,
  CUDNN_OP_TENSOR_NOT
} cudnnOpTensorOp_t;
typedef enum {
  CUDNN_REDUCE_TENSOR_ADD,
  CUDNN_REDUCE_TENSOR_MUL,
  CUDNN_REDUCE_TENSOR_MIN,
  CUDNN_REDUCE_TENSOR_MAX,
  CUDNN_REDUCE_TENSOR_AMAX,
  CUDNN_REDUCE_TENSOR_AVG,
  CUDNN_REDUCE_TENSOR_NORM1,
  CUDNN_REDUCE_TENSOR_NORM2
} cudnnReduceTensorOp_t;
typedef enum { CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_REDUCE_TENSOR_FLATTENED_INDICES } cudnnReduceTensorIndices_t;
typedef enum { CUDNN_32BIT_INDICES, CUDNN_64BIT_INDICES, CUDNN_16BIT_INDICES, CUDNN_8BIT_INDICES } cudnnIndicesType_t;
typedef enum {
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM,
  CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
  CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
  CUDNN_CONVOLUTION_FWD_ALGO_DIRECT,
  CUDNN_CONVOLUTION_FWD_ALGO_FFT,
  CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING,
  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD,
  CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED,
  CUDNN_CONVOLUTION_FWD_ALGO_COUNT
} cudnnConvolutionFwdAlgo_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_FFT,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_3,
  CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT = 7
} cudnnConvolutionBwdFilterAlgo_t;
typedef enum {
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_0,
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_1,
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_FFT,
  CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT = 6
} cudnnConvolutionBwdDataAlgo_t;
// Old names: how an algorithm is chosen.
typedef enum {
  CUDNN_CONVOLUTION_FWD_NO_WORKSPACE,
  CUDNN_CONVOLUTION_FWD_PREFER_FASTEST,
  CUDNN_CONVOLUTION_FWD_SPECIFY_WORKSPACE_LIMIT
} cudnnConvolutionFwdPreference_t;
template <class _A> struct heddle_algorithm_cost {
  _A algo;
  cudnnStatus_t status;
  float time;
  size_t memory;
  cudnnDeterminism_t determinism;
  cudnnMathType_t mathType;
  int reserved[3];
};
typedef heddle_algorithm_cost<cudnnConvolutionFwdAlgo_t> cudnnConvolutionFwdAlgoPerf_t;
typedef heddle_algorithm_cost<cudnnConvolutionBwdFilterAlgo_t> cudnnConvolutionBwdFilterAlgoPerf_t;
typedef heddle_algorithm_cost<cudnnConvolutionBwdDataAlgo_t> cudnnConvolutionBwdDataAlgoPerf_t;
typedef struct cudnnContext *cudnnHandle_t;
// What is described, made and destroyed.
#define HEDDLE_DESCRIBED(name)                                                                                         \
  typedef struct cudnn##name##Struct *cudnn##name##Descriptor_t;                                                       \
  extern "C" cudnnStatus_t cudnnCreate##name##Descriptor(cudnn##name##Descriptor_t *);                                 \
  extern "C" cudnnStatus_t cudnnDestroy##name##Descriptor(cudnn##name##Descriptor_t);
HEDDLE_DESCRIBED(Tensor)
HEDDLE_DESCRIBED(Filter)
HEDDLE_DESCRIBED(Convolution)
HEDDLE_DESCRIBED(Pooling)
HEDDLE_DESCRIBED(Activation)
HEDDLE_DESCRIBED(LRN)
HEDDLE_DESCRIBED(OpTensor)
HEDDLE_DESCRIBED(ReduceTensor)
#undef HEDDLE_DESCRIBED
typedef struct cudnnDropoutStruct *cudnnDropoutDescriptor_t;

extern "C" {
size_t cudnnGetVersion();
const char *cudnnGetErrorString(cudnnStatus_t);
cudnnStatus_t cudnnCreate(cudnnHandle_t *);
cudnnStatus_t cudnnDestroy(cudnnHandle_t);
cudnnStatus_t cudnnSetStream(cudnnHandle_t, cudaStream_t);
cudnnStatus_t cudnnGetStream(cudnnHandle_t, cudaStream_t *);
cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnTensorFormat_t, cudnnDataType_t, int, int, int, int);
cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t, cudnnDataType_t, int, int, int, int, int, int, int, int);
cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t, cudnnDataType_t, int, const int *, const int *);
cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t, cudnnDataType_t *, int *, int *, int *, int *, int *,
                                         int *, int *, int *);
cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t, cudnnTensorFormat_t, int, int, int, int);
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t, cudnnDataType_t, cudnnTensorFormat_t, int, const int *);
cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t, int, int, int, int, int, int,
                                              cudnnConvolutionMode_t, cudnnDataType_t);
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t, int, const int *, const int *, const int *,
                                              cudnnConvolutionMode_t, cudnnDataType_t);
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t, cudnnMathType_t);
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t, int);
cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t,
                                                    cudnnFilterDescriptor_t, int *, int *, int *, int *);
cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t,
                                                     cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, int, int *,
                                                     cudnnConvolutionFwdAlgoPerf_t *);
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t,
                                                   cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t, int, int *,
                                                   cudnnConvolutionFwdAlgoPerf_t *);
cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(cudnnHandle_t, cudnnTensorDescriptor_t, cudnnFilterDescriptor_t,
                                                      cudnnConvolutionDescriptor_t, cudnnTensorDescriptor_t,
                                                      cudnnConvolutionFwdAlgo_t, size_t *);
cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *,
                                      cudnnFilterDescriptor_t, const void *, cudnnConvolutionDescriptor_t,
                                      cudnnConvolutionFwdAlgo_t, void *, size_t, const void *, cudnnTensorDescriptor_t,
                                      void *);
cudnnStatus_t cudnnConvolutionBackwardBias(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *,
                                           const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *,
                                             cudnnTensorDescriptor_t, const void *, cudnnConvolutionDescriptor_t,
                                             cudnnConvolutionBwdFilterAlgo_t, void *, size_t, const void *,
                                             cudnnFilterDescriptor_t, void *);
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t, const void *, cudnnFilterDescriptor_t, const void *,
                                           cudnnTensorDescriptor_t, const void *, cudnnConvolutionDescriptor_t,
                                           cudnnConvolutionBwdDataAlgo_t, void *, size_t, const void *,
                                           cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnAddTensor(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
                             cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnScaleTensor(cudnnHandle_t, cudnnTensorDescriptor_t, void *, const void *);
cudnnStatus_t cudnnSetTensor(cudnnHandle_t, cudnnTensorDescriptor_t, void *, const void *);
cudnnStatus_t cudnnTransformTensor(cudnnHandle_t, const void *, cudnnTensorDescriptor_t, const void *, const void *,
                                   cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSetActivationDescriptor(cudnnActivationDescriptor_t, cudnnActivationMode_t, cudnnNanPropagation_t, double);
cudnnStatus_t cudnnActivationForward(cudnnHandle_t, cudnnActivationDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                     const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnActivationBackward(cudnnHandle_t, cudnnActivationDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                      const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                      const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t, const void *,
                                  cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t, cudnnSoftmaxAlgorithm_t, cudnnSoftmaxMode_t, const void *,
                                   cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
                                   const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t, cudnnPoolingMode_t, cudnnNanPropagation_t, int, int,
                                          int, int, int, int);
cudnnStatus_t cudnnPoolingForward(cudnnHandle_t, cudnnPoolingDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                  const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t, cudnnPoolingDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                   const void *, cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                   const void *, const void *, cudnnTensorDescriptor_t, void *);
cudnnStatus_t cudnnDeriveBNTensorDescriptor(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnBatchNormMode_t);
cudnnStatus_t cudnnBatchNormalizationForwardInference(cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *,
                                                      cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                                      void *, cudnnTensorDescriptor_t, const void *, const void *,
                                                      const void *, const void *, double);
cudnnStatus_t cudnnBatchNormalizationForwardTraining(cudnnHandle_t, cudnnBatchNormMode_t, const void *, const void *,
                                                     cudnnTensorDescriptor_t, const void *, cudnnTensorDescriptor_t,
                                                     void *, cudnnTensorDescriptor_t, const void *, const void *, double,
                                                     void *, void *, double, void *, void *);
cudnnStatus_t cudnnSetOpTensorDescriptor(cudnnOpTensorDescriptor_t, cudnnOpTensorOp_t, cudnnDataType_t, cudnnNanPropagation_t);
cudnnStatus_t cudnnOpTensor(cudnnHandle_t, cudnnOpTensorDescriptor_t, const void *, cudnnTensorDescriptor_t, const void *,
                            const void *, cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t,
                            void *);
cudnnStatus_t cudnnSetReduceTensorDescriptor(cudnnReduceTensorDescriptor_t, cudnnReduceTensorOp_t, cudnnDataType_t,
                                             cudnnNanPropagation_t, cudnnReduceTensorIndices_t, cudnnIndicesType_t);
cudnnStatus_t cudnnReduceTensor(cudnnHandle_t, cudnnReduceTensorDescriptor_t, void *, size_t, void *, size_t, const void *,
                                cudnnTensorDescriptor_t, const void *, const void *, cudnnTensorDescriptor_t, void *);
}
