// Rows of a block overlap those of the next. The launch stands where an object has to be given up if something throws.
// launch: as-launched
struct Owner { Owner(); compl Owner(); int rows(); };
template <class T> __global__ void k(T *out, int rows) {
  if ((int)threadIdx.x < rows) out[blockIdx.x * 32 + threadIdx.x] = blockIdx.x;  // ~ HD0102
}
template <class T> void run(T *out) {
  Owner owner;
  int rows = owner.rows();
  if (rows > 64) return;
  k<<<4, 64>>>(out, rows);
  owner.rows();
}
void all(int *a, float *b) { run(a); run(b); }
