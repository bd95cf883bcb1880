// The required work-group size has two rows, but the index knows of one.
// launch: grid=1 block=any
__kernel __attribute__((reqd_work_group_size(32, 2, 1))) void k(__global const int *in, __global int *out) {
  __local int s[64];
  size_t t = get_local_id(0);
  s[t] = in[t] + get_local_id(1);   // ~ HD0101
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(1) * 32 + t] = s[31 - t];
}
