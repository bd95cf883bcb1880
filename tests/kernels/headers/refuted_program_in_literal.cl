// A host includes the file as the text of its program.
// launch: grid=any block=64
R"==(
__kernel void k(__global int *p) {
  int i = get_global_id(0);
  p[i / 2] = i; // ~ HD0101
}
)=="
