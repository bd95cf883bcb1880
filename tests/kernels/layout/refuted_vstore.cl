// `vstore4` takes addresses of elements: vectors that begin one element apart overlap.
// launch: grid=1 block=64
kernel void k(global int *out, int stride) {
  if (stride < 1 || stride > 1000) return;
  vstore4((int4)(get_local_id(0)), 0, out + get_local_id(0) * stride); // ~ HD0101
}
