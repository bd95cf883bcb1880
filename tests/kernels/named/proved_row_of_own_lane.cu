// Rows that ldmatrix reads were stored before a named barrier.
// launch: grid=1 block=64
__global__ void k(int *a) {
  __shared__ __align__(16) int4 rows[64];
  int i = threadIdx.x;
  rows[i] = make_int4(i, i, i, i);
  asm volatile("bar.sync 1, 64;" ::: "memory");
  unsigned at = (unsigned)__cvta_generic_to_shared(&rows[i]);
  unsigned x, y, z, w;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "r"(at)
               : "memory");
  asm volatile("bar.sync 1, 64;" ::: "memory");
  a[i] = x + y + z + w;
}
