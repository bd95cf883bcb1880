// Systems of equations with sparse matrices, as declarations.
#pragma once
#include "cusolver_common.h"
#include "cusparse.h"

typedef struct cusolverSpContext *cusolverSpHandle_t;
extern "C" {
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t, cudaStream_t);
#define HEDDLE_SOLVE(letter, real)                                                                                     \
  cusolverStatus_t cusolverSp##letter##csrlsvqr(cusolverSpHandle_t, int, int, const cusparseMatDescr_t, const real *,  \
                                                const int *, const int *, const real *, real, int, real *, int *);     \
  cusolverStatus_t cusolverSp##letter##csrlsvchol(cusolverSpHandle_t, int, int, const cusparseMatDescr_t,              \
                                                  const real *, const int *, const int *, const real *, real, int,     \
                                                  real *, int *);
HEDDLE_SOLVE(S, float)
HEDDLE_SOLVE(D, double)
#undef HEDDLE_SOLVE
}
