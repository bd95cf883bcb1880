// The same of a work-group.
// launch: grid=any block=64
void work_group_store_all(int where, int value);
kernel void f(global int *out, int where) {
  work_group_store_all(where, get_global_id(0)); // ~ HD0001
}
