// A function of a sub-group of which nothing is known may write, and may wait: nothing is proved of it.
// launch: grid=any block=64
void sub_group_store_all(int where, int value);
kernel void f(global int *out, int where) {
  sub_group_store_all(where, get_global_id(0)); // ~ HD0001
}
