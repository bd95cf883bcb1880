// The same product by a smaller factor, all of whose numbers fit.
// launch: grid=4 block=64
kernel void far(global int *out) {
  int i = get_global_id(0) * 4194304;
  if (get_local_id(0) == 0)
    out[i] = get_global_id(0);
}
