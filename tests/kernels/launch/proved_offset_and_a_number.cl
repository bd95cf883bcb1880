// Where the offset is zero, each work-item of the one group writes its own element.
// launch: grid=1 block=64
kernel void k(global int *out) {
  size_t offset = get_global_offset(0);
  if (offset == 0)
    out[get_local_id(0)] = 1;
  if (offset - 1 < 5 && get_local_id(0) == 0)
    out[100] = 1;
}
