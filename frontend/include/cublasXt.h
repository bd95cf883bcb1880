// Linear algebra over several devices, as declarations.
#pragma once
#include "cublas_v2.h"

typedef struct cublasXtContext *cublasXtHandle_t;
typedef enum { CUBLASXT_FLOAT, CUBLASXT_DOUBLE, CUBLASXT_COMPLEX, CUBLASXT_DOUBLECOMPLEX } cublasXtOpType_t;
typedef enum { CUBLASXT_PINNING_DISABLED, CUBLASXT_PINNING_ENABLED } cublasXtPinnedMemMode_t;
extern "C" {
cublasStatus_t cublasXtCreate(cublasXtHandle_t *);
cublasStatus_t cublasXtDestroy(cublasXtHandle_t);
cublasStatus_t cublasXtDeviceSelect(cublasXtHandle_t, int, int *);
cublasStatus_t cublasXtSetBlockDim(cublasXtHandle_t, int);
cublasStatus_t cublasXtGetBlockDim(cublasXtHandle_t, int *);
cublasStatus_t cublasXtSetPinningMemMode(cublasXtHandle_t, cublasXtPinnedMemMode_t);
cublasStatus_t cublasXtSgemm(cublasXtHandle_t, cublasOperation_t, cublasOperation_t, size_t, size_t, size_t,
                             const float *, const float *, size_t, const float *, size_t, const float *, float *, size_t);
cublasStatus_t cublasXtDgemm(cublasXtHandle_t, cublasOperation_t, cublasOperation_t, size_t, size_t, size_t,
                             const double *, const double *, size_t, const double *, size_t, const double *, double *,
                             size_t);
}
