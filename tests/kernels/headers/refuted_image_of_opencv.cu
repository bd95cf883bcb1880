// Rows of a picture that OpenCV reads are as far apart as it is high: those of a wide one meet.
// launch: as-launched
#include <opencv2/opencv.hpp>

__global__ void invert(uchar *to, const uchar *from, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) to[y * height + x] = 255 - from[y * width + x]; // ~ HD0101
}

static cv::Mat picture(const char *name) { return cv::imread(name, cv::IMREAD_GRAYSCALE); }

int main(int, char **names) {
  cv::Mat image = picture(names[1]);
  int width = image.cols, height = image.rows;
  size_t bytes = size_t(width) * height;
  uchar *from, *to;
  cudaMalloc(&from, bytes);
  cudaMalloc(&to, bytes);
  cudaMemcpy(from, image.data, bytes, cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  invert<<<grid, block>>>(to, from, width, height);
  cudaMemcpy(image.data, to, bytes, cudaMemcpyDeviceToHost);
  cv::imwrite("inverted.png", image);
}
