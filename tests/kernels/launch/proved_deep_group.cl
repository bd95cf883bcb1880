// Each of the deep work-items writes its own element.
// launch: grid=1 block=1,1,128
kernel void k(global int *out) {
  if (get_local_id(2) >= 64)
    out[get_local_id(2)] = 1;
}
