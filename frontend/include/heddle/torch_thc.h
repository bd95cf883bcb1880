// The C library below PyTorch before 1.11 (THC), as far as extensions of that time call it: its state, its stream and
// its products of matrices. Nothing is known of what these do to memory that they are given.
#pragma once
#include "torch.h"

struct THCState;
cudaStream_t THCState_getCurrentStream(THCState *) HEDDLE_TORCH_QUERY;
struct cublasContext *THCState_getCurrentBlasHandle(THCState *) HEDDLE_TORCH_QUERY;
void *THCudaMalloc(THCState *, size_t);
void THCudaFree(THCState *, void *);

namespace at {
struct Context {
  THCState *lazyInitCUDA();
};
Context &globalContext();
} // namespace at

template <class _T> HEDDLE_TORCH constexpr _T THCCeilDiv(_T a, _T b) { return (a + b - 1) / b; }
template <class... _A> void THCudaBlas_Sgemm(THCState *, _A...);
template <class... _A> void THCudaBlas_Dgemm(THCState *, _A...);
template <class... _A> void THCudaBlas_Sgemv(THCState *, _A...);
template <class... _A> void THCudaBlas_Dgemv(THCState *, _A...);
template <class... _A> void THCudaBlas_SgemmBatched(THCState *, _A...);

#define THArgCheck(condition, ...) TORCH_CHECK(condition)
#define THAssert TORCH_CHECK
#define THError(...) ::c10::detail::heddle_fails()
