// The library for dense systems of equations, as declarations for host code.
#pragma once
#include "cusolver_common.h"

typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct syevjInfo *syevjInfo_t;

extern "C" {
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t, cudaStream_t);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t, cudaStream_t *);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t);
cusolverStatus_t cusolverDnCreateGesvdjInfo(gesvdjInfo_t *);
cusolverStatus_t cusolverDnDestroyGesvdjInfo(gesvdjInfo_t);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t, double);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t, int);
cusolverStatus_t cusolverDnXgesvdjSetTolerance(gesvdjInfo_t, double);
cusolverStatus_t cusolverDnXgesvdjSetMaxSweeps(gesvdjInfo_t, int);
// T: of a matrix, R: of what is real.
#define HEDDLE_SOLVER(_X, _T, _R)                                                                                      \
  cusolverStatus_t cusolverDn##_X##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, _T *, int, int *);      \
  cusolverStatus_t cusolverDn##_X##potrf(cusolverDnHandle_t, cublasFillMode_t, int, _T *, int, _T *, int, int *);      \
  cusolverStatus_t cusolverDn##_X##potrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const _T *, int, _T *, int,   \
                                        int *);                                                                        \
  cusolverStatus_t cusolverDn##_X##potrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, _T *[], int, int *, int);   \
  cusolverStatus_t cusolverDn##_X##potrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int, _T *[], int, _T *[], int, \
                                               int *, int);                                                            \
  cusolverStatus_t cusolverDn##_X##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, _T *, int, int *);      \
  cusolverStatus_t cusolverDn##_X##potri(cusolverDnHandle_t, cublasFillMode_t, int, _T *, int, _T *, int, int *);      \
  cusolverStatus_t cusolverDn##_X##getrf_bufferSize(cusolverDnHandle_t, int, int, _T *, int, int *);                   \
  cusolverStatus_t cusolverDn##_X##getrf(cusolverDnHandle_t, int, int, _T *, int, _T *, int *, int *);                 \
  cusolverStatus_t cusolverDn##_X##getrs(cusolverDnHandle_t, cublasOperation_t, int, int, const _T *, int, const int *, \
                                        _T *, int, int *);                                                             \
  cusolverStatus_t cusolverDn##_X##geqrf_bufferSize(cusolverDnHandle_t, int, int, _T *, int, int *);                   \
  cusolverStatus_t cusolverDn##_X##geqrf(cusolverDnHandle_t, int, int, _T *, int, _T *, _T *, int, int *);             \
  cusolverStatus_t cusolverDn##_X##gesvd_bufferSize(cusolverDnHandle_t, int, int, int *);                              \
  cusolverStatus_t cusolverDn##_X##gesvd(cusolverDnHandle_t, signed char, signed char, int, int, _T *, int, _R *, _T *, \
                                        int, _T *, int, _T *, int, _R *, int *);
HEDDLE_SOLVER(S, float, float)
HEDDLE_SOLVER(D, double, double)
HEDDLE_SOLVER(C, cuComplex, float)
HEDDLE_SOLVER(Z, cuDoubleComplex, double)
#undef HEDDLE_SOLVER
#define HEDDLE_SOLVER(_X, or, sy, _T, _R)                                                                              \
  cusolverStatus_t cusolverDn##_X##or##mqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int,    \
                                                     int, int, const _T *, int, const _T *, const _T *, int, int *);   \
  cusolverStatus_t cusolverDn##_X##or##mqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,     \
                                          const _T *, int, const _T *, _T *, int, _T *, int, int *);                   \
  cusolverStatus_t cusolverDn##_X##or##gqr_bufferSize(cusolverDnHandle_t, int, int, int, const _T *, int, const _T *,  \
                                                     int *);                                                           \
  cusolverStatus_t cusolverDn##_X##or##gqr(cusolverDnHandle_t, int, int, int, _T *, int, const _T *, _T *, int, int *); \
  cusolverStatus_t cusolverDn##_X##sy##evd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,    \
                                                     const _T *, int, const _R *, int *);                              \
  cusolverStatus_t cusolverDn##_X##sy##evd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, _T *, int, _R *, \
                                          _T *, int, int *);                                                           \
  cusolverStatus_t cusolverDn##_X##sy##evj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,    \
                                                     const _T *, int, const _R *, int *, syevjInfo_t);                 \
  cusolverStatus_t cusolverDn##_X##sy##evj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, _T *, int, _R *, \
                                          _T *, int, int *, syevjInfo_t);
HEDDLE_SOLVER(S, or, sy, float, float)
HEDDLE_SOLVER(D, or, sy, double, double)
HEDDLE_SOLVER(C, un, he, cuComplex, float)
HEDDLE_SOLVER(Z, un, he, cuDoubleComplex, double)
#undef HEDDLE_SOLVER
}
