// `vstore4` takes addresses of elements: vectors that begin four elements apart do not overlap.
// launch: grid=1 block=64
kernel void k(global int *out, int stride) {
  if (stride < 4 || stride > 1000) return;
  vstore4((int4)(get_local_id(0)), 0, out + get_local_id(0) * stride);
}
