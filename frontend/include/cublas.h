// The library for dense linear algebra, with the interface without handles that came first, as declarations for host code.
#pragma once
#include "cublas_v2.h"

typedef cublasStatus_t cublasStatus;

cublasStatus_t cublasInit();
cublasStatus_t cublasShutdown();
cublasStatus_t cublasGetError();
cublasStatus_t cublasSetKernelStream(cudaStream_t);
cublasStatus_t cublasAlloc(int, int, void **);
cublasStatus_t cublasFree(void *);

// What a letter stands for the type of, as R for real.
#define HEDDLE_BLAS(LETTER, _R)                                                                                        \
  _R cublas##LETTER##asum(int, const _R *, int);                                                                       \
  void cublas##LETTER##axpy(int, _R, const _R *, int, _R *, int);                                                      \
  void cublas##LETTER##copy(int, const _R *, int, _R *, int);                                                          \
  _R cublas##LETTER##dot(int, const _R *, int, const _R *, int);                                                       \
  _R cublas##LETTER##nrm2(int, const _R *, int);                                                                       \
  void cublas##LETTER##scal(int, _R, _R *, int);                                                                       \
  void cublas##LETTER##swap(int, _R *, int, _R *, int);                                                                \
  void cublas##LETTER##gemv(char, int, int, _R, const _R *, int, const _R *, int, _R, _R *, int);                      \
  void cublas##LETTER##ger(int, int, _R, const _R *, int, const _R *, int, _R *, int);                                 \
  void cublas##LETTER##trsv(char, char, char, int, const _R *, int, _R *, int);                                        \
  void cublas##LETTER##gemm(char, char, int, int, int, _R, const _R *, int, const _R *, int, _R, _R *, int);           \
  void cublas##LETTER##symm(char, char, int, int, _R, const _R *, int, const _R *, int, _R, _R *, int);                \
  void cublas##LETTER##syrk(char, char, int, int, _R, const _R *, int, _R, _R *, int);                                 \
  void cublas##LETTER##trmm(char, char, char, char, int, int, _R, const _R *, int, _R *, int);                         \
  void cublas##LETTER##trsm(char, char, char, char, int, int, _R, const _R *, int, _R *, int);
HEDDLE_BLAS(S, float)
HEDDLE_BLAS(D, double)
#undef HEDDLE_BLAS
int cublasIsamax(int, const float *, int);
int cublasIdamax(int, const double *, int);
int cublasIsamin(int, const float *, int);
int cublasIdamin(int, const double *, int);
