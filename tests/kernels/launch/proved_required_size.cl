// The required work-group size makes the group as large as its local array.
// launch: grid=any block=any
__kernel __attribute__((reqd_work_group_size(32, 2, 1))) void k(__global const int *in, __global int *out) {
  __local int s[64];
  size_t t = get_local_id(1) * 32 + get_local_id(0), g = get_group_id(0) * 64 + t;
  s[t] = in[g];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g] = s[63 - t];
}
