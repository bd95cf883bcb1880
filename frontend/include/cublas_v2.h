// The library for dense linear algebra, as declarations for host code.
#pragma once
#define CUBLAS_API_H_
#define CUBLASAPI
#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef struct cublasContext *cublasHandle_t;
typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1 = 1, CUBLAS_GEMM_ALGO2 = 2, CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_ALGO4 = 4, CUBLAS_GEMM_ALGO5 = 5, CUBLAS_GEMM_ALGO6 = 6, CUBLAS_GEMM_ALGO7 = 7,
  CUBLAS_GEMM_ALGO8 = 8, CUBLAS_GEMM_ALGO9 = 9, CUBLAS_GEMM_ALGO10 = 10, CUBLAS_GEMM_ALGO11 = 11,
  CUBLAS_GEMM_ALGO12 = 12, CUBLAS_GEMM_ALGO13 = 13, CUBLAS_GEMM_ALGO14 = 14, CUBLAS_GEMM_ALGO15 = 15,
  CUBLAS_GEMM_ALGO16 = 16, CUBLAS_GEMM_ALGO17 = 17, CUBLAS_GEMM_ALGO18 = 18, CUBLAS_GEMM_ALGO19 = 19,
  CUBLAS_GEMM_ALGO20 = 20, CUBLAS_GEMM_ALGO21 = 21, CUBLAS_GEMM_ALGO22 = 22, CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO1_TENSOR_OP = 101, CUBLAS_GEMM_ALGO2_TENSOR_OP = 102,
  CUBLAS_GEMM_ALGO3_TENSOR_OP = 103, CUBLAS_GEMM_ALGO4_TENSOR_OP = 104, CUBLAS_GEMM_ALGO5_TENSOR_OP = 105,
  CUBLAS_GEMM_ALGO6_TENSOR_OP = 106, CUBLAS_GEMM_ALGO7_TENSOR_OP = 107, CUBLAS_GEMM_ALGO8_TENSOR_OP = 108,
  CUBLAS_GEMM_ALGO9_TENSOR_OP = 109, CUBLAS_GEMM_ALGO10_TENSOR_OP = 110, CUBLAS_GEMM_ALGO11_TENSOR_OP = 111,
  CUBLAS_GEMM_ALGO12_TENSOR_OP = 112, CUBLAS_GEMM_ALGO13_TENSOR_OP = 113, CUBLAS_GEMM_ALGO14_TENSOR_OP = 114,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115,
  CUBLAS_GEMM_AUTOTUNE = 999
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

extern "C" {
cublasStatus_t cublasCreate(cublasHandle_t *);
cublasStatus_t cublasDestroy(cublasHandle_t);
cublasStatus_t cublasGetVersion(cublasHandle_t, int *);
cublasStatus_t cublasSetStream(cublasHandle_t, cudaStream_t);
cublasStatus_t cublasGetStream(cublasHandle_t, cudaStream_t *);
cublasStatus_t cublasSetMathMode(cublasHandle_t, cublasMath_t);
cublasStatus_t cublasSetPointerMode(cublasHandle_t, cublasPointerMode_t);
cublasStatus_t cublasGetPointerMode(cublasHandle_t, cublasPointerMode_t *);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t, cublasAtomicsMode_t);
cublasStatus_t cublasSetWorkspace(cublasHandle_t, void *, size_t);
const char *cublasGetStatusString(cublasStatus_t);
const char *cublasGetStatusName(cublasStatus_t);
cublasStatus_t cublasSetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasGetVector(int, int, const void *, int, void *, int);
cublasStatus_t cublasSetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasGetMatrix(int, int, int, const void *, int, void *, int);
cublasStatus_t cublasHgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const __half *,
                           const __half *, int, const __half *, int, const __half *, __half *, int);
cublasStatus_t cublasSgemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *,
                             const void *, cudaDataType, int, const void *, cudaDataType, int, const float *, void *,
                             cudaDataType, int);
cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                            const void *, cudaDataType, int, const void *, cudaDataType, int, const void *, void *,
                            cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);
extern "C++" cublasStatus_t cublasGemmEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void *,
                                         const void *, cudaDataType, int, const void *, cudaDataType, int, const void *,
                                         void *, cudaDataType, int, cudaDataType, cublasGemmAlgo_t);
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int,
                                          const void *, const void *, cudaDataType, int, long long, const void *,
                                          cudaDataType, int, long long, const void *, void *, cudaDataType, int,
                                          long long, int, cublasComputeType_t, cublasGemmAlgo_t);
cublasStatus_t cublasSaxpy(cublasHandle_t, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasDaxpy(cublasHandle_t, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasCaxpy(cublasHandle_t, int, const cuComplex *, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasZaxpy(cublasHandle_t, int, const cuDoubleComplex *, const cuDoubleComplex *, int, cuDoubleComplex
    *, int);
cublasStatus_t cublasScopy(cublasHandle_t, int, const float *, int, float *, int);
cublasStatus_t cublasDcopy(cublasHandle_t, int, const double *, int, double *, int);
cublasStatus_t cublasCcopy(cublasHandle_t, int, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasZcopy(cublasHandle_t, int, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasSscal(cublasHandle_t, int, const float *, float *, int);
cublasStatus_t cublasDscal(cublasHandle_t, int, const double *, double *, int);
cublasStatus_t cublasCscal(cublasHandle_t, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasZscal(cublasHandle_t, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasSswap(cublasHandle_t, int, float *, int, float *, int);
cublasStatus_t cublasDswap(cublasHandle_t, int, double *, int, double *, int);
cublasStatus_t cublasCswap(cublasHandle_t, int, cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasZswap(cublasHandle_t, int, cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasSgemv(cublasHandle_t, cublasOperation_t, int, int, const float *, const float *, int, const float
    *, int, const float *, float *, int);
cublasStatus_t cublasDgemv(cublasHandle_t, cublasOperation_t, int, int, const double *, const double *, int, const
    double *, int, const double *, double *, int);
cublasStatus_t cublasCgemv(cublasHandle_t, cublasOperation_t, int, int, const cuComplex *, const cuComplex *, int,
    const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasZgemv(cublasHandle_t, cublasOperation_t, int, int, const cuDoubleComplex *, const cuDoubleComplex
    *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasSgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *, const
    float *, int, const float *, int, const float *, float *, int);
cublasStatus_t cublasDgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const double *, const
    double *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasCgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const cuComplex *,
    const cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasZgemm(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const cuDoubleComplex
    *, const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasSgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const float *,
    const float *const *, int, const float *const *, int, const float *, float *const *, int, int);
cublasStatus_t cublasDgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const double *,
    const double *const *, int, const double *const *, int, const double *, double *const *, int, int);
cublasStatus_t cublasCgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const cuComplex
    *, const cuComplex *const *, int, const cuComplex *const *, int, const cuComplex *, cuComplex *const *, int, int);
cublasStatus_t cublasZgemmBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const
    cuDoubleComplex *, const cuDoubleComplex *const *, int, const cuDoubleComplex *const *, int, const cuDoubleComplex
    *, cuDoubleComplex *const *, int, int);
cublasStatus_t cublasSgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const
    float *, const float *, int, long long, const float *, int, long long, const float *, float *, int, long long,
    int);
cublasStatus_t cublasDgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const
    double *, const double *, int, long long, const double *, int, long long, const double *, double *, int, long
    long, int);
cublasStatus_t cublasCgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const
    cuComplex *, const cuComplex *, int, long long, const cuComplex *, int, long long, const cuComplex *, cuComplex *,
    int, long long, int);
cublasStatus_t cublasZgemmStridedBatched(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const
    cuDoubleComplex *, const cuDoubleComplex *, int, long long, const cuDoubleComplex *, int, long long, const
    cuDoubleComplex *, cuDoubleComplex *, int, long long, int);
cublasStatus_t cublasSgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const float *, const float
    *, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasDgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const double *, const
    double *, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasCgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const cuComplex *, const
    cuComplex *, int, const cuComplex *, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasZgeam(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, const cuDoubleComplex *, int, cuDoubleComplex *, int);
cublasStatus_t cublasStrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const float *, const float *, int, float *, int);
cublasStatus_t cublasDtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const double *, const double *, int, double *, int);
cublasStatus_t cublasCtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuComplex *, const cuComplex *, int, cuComplex *, int);
cublasStatus_t cublasZtrsm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,
    cublasDiagType_t, int, int, const cuDoubleComplex *, const cuDoubleComplex *, int, cuDoubleComplex
    *, int);
cublasStatus_t cublasSsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const float *, const float
    *, int, const float *, float *, int);
cublasStatus_t cublasDsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const double *, const double
    *, int, const double *, double *, int);
cublasStatus_t cublasCsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuComplex *, const
    cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasZsyrk(cublasHandle_t, cublasFillMode_t, cublasOperation_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasSsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const float *, const float *,
    int, const float *, int, const float *, float *, int);
cublasStatus_t cublasDsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const double *, const double
    *, int, const double *, int, const double *, double *, int);
cublasStatus_t cublasCsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const cuComplex *, const
    cuComplex *, int, const cuComplex *, int, const cuComplex *, cuComplex *, int);
cublasStatus_t cublasZsymm(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, int, int, const cuDoubleComplex *,
    const cuDoubleComplex *, int, const cuDoubleComplex *, int, const cuDoubleComplex *, cuDoubleComplex *, int);
cublasStatus_t cublasSgetrfBatched(cublasHandle_t, int, float *const *, int, int *, int *, int);
cublasStatus_t cublasDgetrfBatched(cublasHandle_t, int, double *const *, int, int *, int *, int);
cublasStatus_t cublasCgetrfBatched(cublasHandle_t, int, cuComplex *const *, int, int *, int *, int);
cublasStatus_t cublasZgetrfBatched(cublasHandle_t, int, cuDoubleComplex *const *, int, int *, int *, int);
cublasStatus_t cublasSgetriBatched(cublasHandle_t, int, const float *const *, int, const int *, float *const *, int,
    int *, int);
cublasStatus_t cublasDgetriBatched(cublasHandle_t, int, const double *const *, int, const int *, double *const *, int,
    int *, int);
cublasStatus_t cublasCgetriBatched(cublasHandle_t, int, const cuComplex *const *, int, const int *, cuComplex *const
    *, int, int *, int);
cublasStatus_t cublasZgetriBatched(cublasHandle_t, int, const cuDoubleComplex *const *, int, const int *,
    cuDoubleComplex *const *, int, int *, int);
cublasStatus_t cublasSdot(cublasHandle_t, int, const float *, int, const float *, int, float *);
cublasStatus_t cublasSnrm2(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSasum(cublasHandle_t, int, const float *, int, float *);
cublasStatus_t cublasSger(cublasHandle_t, int, int, const float *, const float *, int, const float *, int, float *,
    int);
cublasStatus_t cublasSsymv(cublasHandle_t, cublasFillMode_t, int, const float *, const float *, int, const float *,
    int, const float *, float *, int);
cublasStatus_t cublasDdot(cublasHandle_t, int, const double *, int, const double *, int, double *);
cublasStatus_t cublasDnrm2(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDasum(cublasHandle_t, int, const double *, int, double *);
cublasStatus_t cublasDger(cublasHandle_t, int, int, const double *, const double *, int, const double *, int, double
    *, int);
cublasStatus_t cublasDsymv(cublasHandle_t, cublasFillMode_t, int, const double *, const double *, int, const double *,
    int, const double *, double *, int);
#define HEDDLE_BLAS(letter, real)                                                                                      \
  cublasStatus_t cublas##letter##dgmm(cublasHandle_t, cublasSideMode_t, int, int, const real *, int, const real *, int,   \
                                      real *, int);                                                                    \
  cublasStatus_t cublas##letter##trsv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,      \
                                      const real *, int, real *, int);                                                 \
  cublasStatus_t cublas##letter##trmv(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, int,      \
                                      const real *, int, real *, int);                                                 \
  cublasStatus_t cublas##letter##rot(cublasHandle_t, int, real *, int, real *, int, const real *, const real *);       \
  cublasStatus_t cublas##letter##gbmv(cublasHandle_t, cublasOperation_t, int, int, int, int, const real *,             \
                                      const real *, int, const real *, int, const real *, real *, int);
HEDDLE_BLAS(S, float)
HEDDLE_BLAS(D, double)
#undef HEDDLE_BLAS
cublasStatus_t cublasIsamax(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIsamin(cublasHandle_t, int, const float *, int, int *);
cublasStatus_t cublasIdamax(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasIdamin(cublasHandle_t, int, const double *, int, int *);
cublasStatus_t cublasIcamax(cublasHandle_t, int, const cuComplex *, int, int *);
cublasStatus_t cublasIcamin(cublasHandle_t, int, const cuComplex *, int, int *);
cublasStatus_t cublasIzamax(cublasHandle_t, int, const cuDoubleComplex *, int, int *);
cublasStatus_t cublasIzamin(cublasHandle_t, int, const cuDoubleComplex *, int, int *);
}

// The names that these functions have in the library.
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSscal_v2 cublasSscal
#define cublasDscal_v2 cublasDscal
