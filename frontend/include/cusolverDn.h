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
#define HEDDLE_SOLVER(X, T, R)                                                                                         \
  cusolverStatus_t cusolverDn##X##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, int *);        \
  cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, T *, int, int *);         \
  cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t, cublasFillMode_t, int, int, const T *, int, T *, int,      \
                                        int *);                                                                        \
  cusolverStatus_t cusolverDn##X##potrfBatched(cusolverDnHandle_t, cublasFillMode_t, int, T *[], int, int *, int);     \
  cusolverStatus_t cusolverDn##X##potrsBatched(cusolverDnHandle_t, cublasFillMode_t, int, int, T *[], int, T *[], int, \
                                               int *, int);                                                            \
  cusolverStatus_t cusolverDn##X##potri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, int *);        \
  cusolverStatus_t cusolverDn##X##potri(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, T *, int, int *);         \
  cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t, int, int, T *, int, int *);                     \
  cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t, int, int, T *, int, T *, int *, int *);                    \
  cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t, cublasOperation_t, int, int, const T *, int, const int *,  \
                                        T *, int, int *);                                                              \
  cusolverStatus_t cusolverDn##X##geqrf_bufferSize(cusolverDnHandle_t, int, int, T *, int, int *);                     \
  cusolverStatus_t cusolverDn##X##geqrf(cusolverDnHandle_t, int, int, T *, int, T *, T *, int, int *);                 \
  cusolverStatus_t cusolverDn##X##gesvd_bufferSize(cusolverDnHandle_t, int, int, int *);                               \
  cusolverStatus_t cusolverDn##X##gesvd(cusolverDnHandle_t, signed char, signed char, int, int, T *, int, R *, T *,    \
                                        int, T *, int, T *, int, R *, int *);
HEDDLE_SOLVER(S, float, float)
HEDDLE_SOLVER(D, double, double)
HEDDLE_SOLVER(C, cuComplex, float)
HEDDLE_SOLVER(Z, cuDoubleComplex, double)
#undef HEDDLE_SOLVER
#define HEDDLE_SOLVER(X, or, sy, T, R)                                                                                 \
  cusolverStatus_t cusolverDn##X##or##mqr_bufferSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int,     \
                                                     int, int, const T *, int, const T *, const T *, int, int *);      \
  cusolverStatus_t cusolverDn##X##or##mqr(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,      \
                                          const T *, int, const T *, T *, int, T *, int, int *);                       \
  cusolverStatus_t cusolverDn##X##or##gqr_bufferSize(cusolverDnHandle_t, int, int, int, const T *, int, const T *,     \
                                                     int *);                                                           \
  cusolverStatus_t cusolverDn##X##or##gqr(cusolverDnHandle_t, int, int, int, T *, int, const T *, T *, int, int *);    \
  cusolverStatus_t cusolverDn##X##sy##evd_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,     \
                                                     const T *, int, const R *, int *);                                \
  cusolverStatus_t cusolverDn##X##sy##evd(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, T *, int, R *, \
                                          T *, int, int *);                                                            \
  cusolverStatus_t cusolverDn##X##sy##evj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int,     \
                                                     const T *, int, const R *, int *, syevjInfo_t);                   \
  cusolverStatus_t cusolverDn##X##sy##evj(cusolverDnHandle_t, cusolverEigMode_t, cublasFillMode_t, int, T *, int, R *, \
                                          T *, int, int *, syevjInfo_t);
HEDDLE_SOLVER(S, or, sy, float, float)
HEDDLE_SOLVER(D, or, sy, double, double)
HEDDLE_SOLVER(C, un, he, cuComplex, float)
HEDDLE_SOLVER(Z, un, he, cuDoubleComplex, double)
#undef HEDDLE_SOLVER
}
