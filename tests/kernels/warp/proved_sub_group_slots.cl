// A slot for each sub-group, filled by one work-item of it: the numbers tell work-items apart, whatever the size of a sub-group.
// launch: grid=any block=any
kernel void sums(global const int *in, global int *out, local int *part) {
  int sum = sub_group_reduce_add(in[get_global_id(0)]);
  if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = part[get_sub_group_id()] - sum;
}
