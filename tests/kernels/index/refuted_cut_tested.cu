// The program itself asks whether a product was cut: what it does then is no run to leave out.
// launch: grid=any block=any
__global__ void k(int *out, int a, int b) {
  long long whole = (long long)a * b;
  int cut = whole;
  if (cut == whole) return;
  out[0] = blockIdx.x; // ~ HD0102
}
