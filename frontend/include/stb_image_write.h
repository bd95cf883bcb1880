// A writer of images in one file (stb_image_write), as declarations for host code. Its bodies, where
// `STB_IMAGE_WRITE_IMPLEMENTATION` asks for them, have no kernels.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
typedef void stbi_write_func(void *, void *, int);
extern int stbi_write_tga_with_rle, stbi_write_png_compression_level, stbi_write_force_png_filter;
int stbi_write_png(char const *, int, int, int, const void *, int);
int stbi_write_bmp(char const *, int, int, int, const void *);
int stbi_write_tga(char const *, int, int, int, const void *);
int stbi_write_hdr(char const *, int, int, int, const float *);
int stbi_write_jpg(char const *, int, int, int, const void *, int);
int stbi_write_png_to_func(stbi_write_func *, void *, int, int, int, const void *, int);
int stbi_write_bmp_to_func(stbi_write_func *, void *, int, int, int, const void *);
int stbi_write_jpg_to_func(stbi_write_func *, void *, int, int, int, const void *, int);
void stbi_flip_vertically_on_write(int);
#ifdef __cplusplus
}
#endif
