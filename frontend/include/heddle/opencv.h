// OpenCV's images and windows, as far as a file of kernels has to parse: what host code calls is declared, and of an image
// nothing is known, neither its sizes nor where its pixels are. Points, sizes and colours are values. With OpenCV's own
// headers on the include path these are not read. It stands beside the built-in headers and beside a toolkit's.
#pragma once
#include <algorithm>
#include <array>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "opencv_values.h"

// Numbers of the interface of C, which programs define where a version lacks them.
#ifndef CV_LOAD_IMAGE_COLOR
#define CV_LOAD_IMAGE_UNCHANGED -1
#define CV_LOAD_IMAGE_GRAYSCALE 0
#define CV_LOAD_IMAGE_COLOR 1
#define CV_LOAD_IMAGE_ANYDEPTH 2
#define CV_LOAD_IMAGE_ANYCOLOR 4
#endif
#ifndef CV_PI
#define CV_PI 3.1415926535897932384626433832795
#endif
#define CV_VERSION_MAJOR 4
#define CV_CN_SHIFT 3
#define CV_8U 0
#define CV_8S 1
#define CV_16U 2
#define CV_16S 3
#define CV_32S 4
#define CV_32F 5
#define CV_64F 6
#define CV_16F 7
#define CV_MAKETYPE(depth, channels) ((depth) + (((channels) - 1) << CV_CN_SHIFT))
#define CV_8UC(n) CV_MAKETYPE(CV_8U, n)
#define CV_16UC(n) CV_MAKETYPE(CV_16U, n)
#define CV_32FC(n) CV_MAKETYPE(CV_32F, n)
#define CV_64FC(n) CV_MAKETYPE(CV_64F, n)
#define CV_8UC1 CV_MAKETYPE(CV_8U, 1)
#define CV_8UC2 CV_MAKETYPE(CV_8U, 2)
#define CV_8UC3 CV_MAKETYPE(CV_8U, 3)
#define CV_8UC4 CV_MAKETYPE(CV_8U, 4)
#define CV_8SC1 CV_MAKETYPE(CV_8S, 1)
#define CV_16UC1 CV_MAKETYPE(CV_16U, 1)
#define CV_16UC3 CV_MAKETYPE(CV_16U, 3)
#define CV_16UC4 CV_MAKETYPE(CV_16U, 4)
#define CV_16SC1 CV_MAKETYPE(CV_16S, 1)
#define CV_16SC2 CV_MAKETYPE(CV_16S, 2)
#define CV_32SC1 CV_MAKETYPE(CV_32S, 1)
#define CV_32SC2 CV_MAKETYPE(CV_32S, 2)
#define CV_32FC1 CV_MAKETYPE(CV_32F, 1)
#define CV_32FC2 CV_MAKETYPE(CV_32F, 2)
#define CV_32FC3 CV_MAKETYPE(CV_32F, 3)
#define CV_32FC4 CV_MAKETYPE(CV_32F, 4)
#define CV_64FC1 CV_MAKETYPE(CV_64F, 1)
#define CV_64FC2 CV_MAKETYPE(CV_64F, 2)
#define CV_64FC3 CV_MAKETYPE(CV_64F, 3)
#define CV_FOURCC(a, b, c, d) (((a) & 255) + (((b) & 255) << 8) + (((c) & 255) << 16) + (((d) & 255) << 24))
#define CV_Assert(condition) ((condition) ? (void)0 : abort())


namespace cv {
using String = std::string;
template <class T> using Ptr = std::shared_ptr<T>;
template <class T, class... A> Ptr<T> makePtr(const A &...arguments) { return std::make_shared<T>(arguments...); }

class Mat;
// What takes an image, a list of points, a number: anything.
struct Any {
  template <class T> Any(const T &);
};
typedef const Any &InputArray;
typedef const Any &OutputArray;
typedef const Any &InputOutputArray;
typedef const Any &InputArrayOfArrays;
typedef const Any &OutputArrayOfArrays;
Any noArray();

struct MatStep {
  size_t *p, buf[2];
  operator size_t() const;
  size_t operator[](int at) const;
};
struct MatSize {
  int *p;
  Size operator()() const;
  const int &operator[](int at) const;
};

class Mat {
public:
  enum { AUTO_STEP = 0 };
  int flags, dims, rows, cols;
  uchar *data;
  const uchar *datastart, *dataend, *datalimit;
  MatSize size;
  MatStep step;

  Mat();
  Mat(int rows, int cols, int type);
  Mat(int rows, int cols, int type, const Scalar &all);
  Mat(int rows, int cols, int type, void *data, size_t step = AUTO_STEP);
  Mat(Size size, int type);
  Mat(Size size, int type, const Scalar &all);
  Mat(Size size, int type, void *data, size_t step = AUTO_STEP);
  Mat(int dims, const int *sizes, int type);
  Mat(const Mat &of);
  Mat(const Mat &of, const Rect &part);
  Mat(const Mat &of, const Range &rows, const Range &columns = Range());
  template <class T> explicit Mat(const std::vector<T> &of, bool copy = false);
  ~Mat();
  Mat &operator=(const Mat &of);
  Mat &operator=(const Scalar &all);

  static Mat zeros(int rows, int cols, int type);
  static Mat zeros(Size size, int type);
  static Mat ones(int rows, int cols, int type);
  static Mat ones(Size size, int type);
  static Mat eye(int rows, int cols, int type);

  Mat clone() const;
  void copyTo(OutputArray to) const;
  void copyTo(OutputArray to, InputArray mask) const;
  void convertTo(OutputArray to, int type, double alpha = 1, double beta = 0) const;
  Mat &setTo(InputArray all, InputArray mask = noArray());
  Mat reshape(int channels, int rows = 0) const;
  Mat t() const;
  Mat inv(int method = 0) const;
  Mat mul(InputArray by, double scale = 1) const;
  Mat row(int at) const;
  Mat col(int at) const;
  Mat rowRange(int from, int to) const;
  Mat colRange(int from, int to) const;
  Mat diag(int at = 0) const;
  void create(int rows, int cols, int type);
  void create(Size size, int type);
  void release();
  void push_back(const Mat &of);
  template <class T> void push_back(const T &of);
  void resize(size_t rows);
  bool empty() const;
  bool isContinuous() const;
  bool isSubmatrix() const;
  int type() const;
  int depth() const;
  int channels() const;
  size_t total() const;
  size_t elemSize() const;
  size_t elemSize1() const;
  size_t step1(int at = 0) const;
  Mat operator()(const Rect &part) const;
  Mat operator()(Range rows, Range columns) const;
  uchar *ptr(int row = 0);
  const uchar *ptr(int row = 0) const;
  uchar *ptr(int row, int column);
  template <class T> T *ptr(int row = 0);
  template <class T> const T *ptr(int row = 0) const;
  template <class T> T *ptr(int row, int column);
  template <class T> T &at(int row = 0);
  template <class T> const T &at(int row = 0) const;
  template <class T> T &at(int row, int column);
  template <class T> const T &at(int row, int column) const;
  template <class T> T &at(Point at);
  template <class T> T *begin();
  template <class T> T *end();
};
typedef Mat UMat;

template <class T> class Mat_ : public Mat {
public:
  Mat_();
  Mat_(int rows, int cols);
  Mat_(int rows, int cols, const T &all);
  Mat_(Size size);
  Mat_(const Mat &of);
  T *operator[](int row);
  const T *operator[](int row) const;
  T &operator()(int row, int column);
  const T &operator()(int row, int column) const;
};
typedef Mat_<uchar> Mat1b;
typedef Mat_<Vec3b> Mat3b;
typedef Mat_<float> Mat1f;
typedef Mat_<Vec3f> Mat3f;
typedef Mat_<double> Mat1d;
typedef Mat_<int> Mat1i;

Mat operator+(const Mat &a, const Mat &b);
Mat operator+(const Mat &a, const Scalar &b);
Mat operator-(const Mat &a, const Mat &b);
Mat operator-(const Mat &a, const Scalar &b);
Mat operator*(const Mat &a, const Mat &b);
Mat operator*(const Mat &a, double b);
Mat operator*(double a, const Mat &b);
Mat operator/(const Mat &a, const Mat &b);
Mat operator/(const Mat &a, double b);
Mat operator!=(const Mat &a, const Mat &b);
Mat operator==(const Mat &a, const Mat &b);
Mat operator>(const Mat &a, double b);
Mat operator<(const Mat &a, double b);
Mat &operator+=(Mat &a, const Mat &b);
Mat &operator-=(Mat &a, const Mat &b);
Mat &operator*=(Mat &a, double b);
Mat &operator/=(Mat &a, double b);
std::ostream &operator<<(std::ostream &to, const Mat &of);
template <class T> std::ostream &operator<<(std::ostream &to, const Point_<T> &of);
template <class T> std::ostream &operator<<(std::ostream &to, const Size_<T> &of);

struct Exception : std::exception {
  Exception();
  String msg, err, func, file;
  int code, line;
  const char *what() const noexcept override;
};

// The many numbers that have names, each with a value of its own.
enum {
  IMREAD_UNCHANGED = -1,
  IMREAD_GRAYSCALE,
  IMREAD_COLOR,
  IMREAD_ANYDEPTH,
  IMREAD_ANYCOLOR = 4,
  WINDOW_NORMAL = 0,
  WINDOW_AUTOSIZE = 1,
  WINDOW_OPENGL = 0x1000,
  WINDOW_KEEPRATIO = 0,
  FONT_HERSHEY_SIMPLEX = 0,
  FONT_HERSHEY_PLAIN,
  FONT_HERSHEY_DUPLEX,
  FONT_HERSHEY_COMPLEX,
  FONT_HERSHEY_TRIPLEX,
  FONT_HERSHEY_COMPLEX_SMALL,
  FONT_HERSHEY_SCRIPT_SIMPLEX,
  FILLED = -1,
  LINE_4 = 4,
  LINE_8 = 8,
  LINE_AA = 16,
  INTER_NEAREST = 0,
  INTER_LINEAR,
  INTER_CUBIC,
  INTER_AREA,
  INTER_LANCZOS4,
  BORDER_CONSTANT = 0,
  BORDER_REPLICATE,
  BORDER_REFLECT,
  BORDER_WRAP,
  BORDER_REFLECT_101,
  BORDER_DEFAULT = 4,
  NORM_INF = 1,
  NORM_L1 = 2,
  NORM_L2 = 4,
  NORM_MINMAX = 32,
  THRESH_BINARY = 0,
  THRESH_BINARY_INV,
  THRESH_OTSU = 8,
  IMWRITE_JPEG_QUALITY = 1,
  IMWRITE_PNG_COMPRESSION = 16,
  MARKER_CROSS = 0,
  MARKER_TILTED_CROSS,
  MARKER_STAR,
  MARKER_DIAMOND,
  MARKER_SQUARE,
  MARKER_TRIANGLE_UP,
  MARKER_TRIANGLE_DOWN,
  COLORMAP_AUTUMN = 0,
  COLORMAP_BONE,
  COLORMAP_JET,
  COLORMAP_WINTER,
  COLORMAP_RAINBOW,
  COLORMAP_HSV = 9,
  COLORMAP_HOT = 11,
  COLORMAP_PARULA,
  COLORMAP_MAGMA,
  COLORMAP_INFERNO,
  COLORMAP_PLASMA,
  COLORMAP_VIRIDIS,
  COLORMAP_TURBO = 20,
  EVENT_MOUSEMOVE = 0,
  EVENT_LBUTTONDOWN,
  EVENT_RBUTTONDOWN,
  EVENT_LBUTTONUP = 4,
  ROTATE_90_CLOCKWISE = 0,
  ROTATE_180,
  ROTATE_90_COUNTERCLOCKWISE
};
enum ColorConversionCodes {
  COLOR_BGR2BGRA = 0,
  COLOR_RGB2RGBA = 0,
  COLOR_BGRA2BGR,
  COLOR_RGBA2RGB = 1,
  COLOR_BGR2RGBA,
  COLOR_RGBA2BGR,
  COLOR_BGRA2RGB = 3,
  COLOR_BGR2RGB,
  COLOR_RGB2BGR = 4,
  COLOR_BGR2GRAY = 6,
  COLOR_RGB2GRAY,
  COLOR_GRAY2BGR,
  COLOR_GRAY2RGB = 8,
  COLOR_GRAY2BGRA,
  COLOR_BGRA2GRAY,
  COLOR_RGBA2GRAY,
  COLOR_BGR2YCrCb = 36,
  COLOR_BGR2HSV = 40,
  COLOR_RGB2HSV,
  COLOR_BGR2Lab = 44,
  COLOR_HSV2BGR = 54,
  COLOR_HSV2RGB,
  COLOR_BGR2YUV = 82
};
enum VideoCaptureProperties {
  CAP_ANY = 0,
  CAP_PROP_POS_FRAMES = 1,
  CAP_PROP_FRAME_WIDTH = 3,
  CAP_PROP_FRAME_HEIGHT,
  CAP_PROP_FPS,
  CAP_PROP_FOURCC,
  CAP_PROP_FRAME_COUNT
};

class VideoCapture {
public:
  VideoCapture();
  explicit VideoCapture(const String &file, int api = CAP_ANY);
  explicit VideoCapture(int device, int api = CAP_ANY);
  ~VideoCapture();
  bool open(const String &file, int api = CAP_ANY);
  bool open(int device, int api = CAP_ANY);
  bool isOpened() const;
  void release();
  bool grab();
  bool retrieve(OutputArray to, int flag = 0);
  bool read(OutputArray to);
  VideoCapture &operator>>(Mat &to);
  double get(int property) const;
  bool set(int property, double to);
};
class VideoWriter {
public:
  VideoWriter();
  VideoWriter(const String &file, int fourcc, double fps, Size size, bool color = true);
  ~VideoWriter();
  bool open(const String &file, int fourcc, double fps, Size size, bool color = true);
  bool isOpened() const;
  void release();
  void write(InputArray image);
  VideoWriter &operator<<(const Mat &image);
  static int fourcc(char a, char b, char c, char d);
};

Mat imread(const String &file, int flags = IMREAD_COLOR);
bool imwrite(const String &file, InputArray image, const std::vector<int> &options = std::vector<int>());
Mat imdecode(InputArray from, int flags);
bool imencode(const String &extension, InputArray image, std::vector<uchar> &to);
void imshow(const String &window, InputArray image);
void namedWindow(const String &window, int flags = WINDOW_AUTOSIZE);
void resizeWindow(const String &window, int width, int height);
void moveWindow(const String &window, int x, int y);
void destroyWindow(const String &window);
void destroyAllWindows();
int waitKey(int delay = 0);
int createTrackbar(const String &name, const String &window, int *value, int most, void (*change)(int, void *) = 0, void *with = 0);
void setMouseCallback(const String &window, void (*call)(int, int, int, int, void *), void *with = 0);

void line(InputOutputArray on, Point from, Point to, const Scalar &color, int thickness = 1, int kind = LINE_8, int shift = 0);
void arrowedLine(InputOutputArray on, Point from, Point to, const Scalar &color, int thickness = 1, int kind = LINE_8,
                 int shift = 0, double tip = 0.1);
void circle(InputOutputArray on, Point center, int radius, const Scalar &color, int thickness = 1, int kind = LINE_8,
            int shift = 0);
void ellipse(InputOutputArray on, Point center, Size axes, double angle, double from, double to, const Scalar &color,
             int thickness = 1, int kind = LINE_8, int shift = 0);
void rectangle(InputOutputArray on, Point from, Point to, const Scalar &color, int thickness = 1, int kind = LINE_8,
               int shift = 0);
void rectangle(InputOutputArray on, Rect at, const Scalar &color, int thickness = 1, int kind = LINE_8, int shift = 0);
void polylines(InputOutputArray on, InputArrayOfArrays points, bool closed, const Scalar &color, int thickness = 1,
               int kind = LINE_8, int shift = 0);
void fillPoly(InputOutputArray on, InputArrayOfArrays points, const Scalar &color, int kind = LINE_8, int shift = 0);
void fillConvexPoly(InputOutputArray on, InputArray points, const Scalar &color, int kind = LINE_8, int shift = 0);
void drawMarker(InputOutputArray on, Point at, const Scalar &color, int marker = MARKER_CROSS, int size = 20,
                int thickness = 1, int kind = LINE_8);
void putText(InputOutputArray on, const String &text, Point at, int font, double scale, Scalar color, int thickness = 1,
             int kind = LINE_8, bool from_below = false);
Size getTextSize(const String &text, int font, double scale, int thickness, int *base);

void cvtColor(InputArray from, OutputArray to, int code, int channels = 0);
void resize(InputArray from, OutputArray to, Size size, double x = 0, double y = 0, int how = INTER_LINEAR);
void applyColorMap(InputArray from, OutputArray to, int map);
void flip(InputArray from, OutputArray to, int code);
void rotate(InputArray from, OutputArray to, int code);
void transpose(InputArray from, OutputArray to);
void hconcat(InputArray a, InputArray b, OutputArray to);
void hconcat(InputArrayOfArrays from, OutputArray to);
void vconcat(InputArray a, InputArray b, OutputArray to);
void vconcat(InputArrayOfArrays from, OutputArray to);
void split(InputArray from, OutputArrayOfArrays to);
void merge(InputArrayOfArrays from, OutputArray to);
void add(InputArray a, InputArray b, OutputArray to, InputArray mask = noArray(), int type = -1);
void subtract(InputArray a, InputArray b, OutputArray to, InputArray mask = noArray(), int type = -1);
void multiply(InputArray a, InputArray b, OutputArray to, double scale = 1, int type = -1);
void divide(InputArray a, InputArray b, OutputArray to, double scale = 1, int type = -1);
void addWeighted(InputArray a, double alpha, InputArray b, double beta, double gamma, OutputArray to, int type = -1);
void absdiff(InputArray a, InputArray b, OutputArray to);
void compare(InputArray a, InputArray b, OutputArray to, int how);
void normalize(InputArray from, const Any &to, double alpha = 1, double beta = 0, int kind = NORM_L2, int type = -1,
               InputArray mask = noArray());
void convertScaleAbs(InputArray from, OutputArray to, double alpha = 1, double beta = 0);
void minMaxLoc(InputArray from, double *least, double *most = 0, Point *least_at = 0, Point *most_at = 0,
               InputArray mask = noArray());
double norm(InputArray of, int kind = NORM_L2, InputArray mask = noArray());
double norm(InputArray a, InputArray b, int kind = NORM_L2, InputArray mask = noArray());
template <class T> double norm(const Point_<T> &of);
Scalar sum(InputArray of);
Scalar mean(InputArray of, InputArray mask = noArray());
int countNonZero(InputArray of);
void GaussianBlur(InputArray from, OutputArray to, Size size, double x, double y = 0, int border = BORDER_DEFAULT);
void blur(InputArray from, OutputArray to, Size size, Point anchor = Point(-1, -1), int border = BORDER_DEFAULT);
void medianBlur(InputArray from, OutputArray to, int size);
void bilateralFilter(InputArray from, OutputArray to, int d, double color, double space, int border = BORDER_DEFAULT);
void filter2D(InputArray from, OutputArray to, int depth, InputArray kernel, Point anchor = Point(-1, -1), double delta = 0,
              int border = BORDER_DEFAULT);
void Sobel(InputArray from, OutputArray to, int depth, int x, int y, int size = 3, double scale = 1, double delta = 0,
           int border = BORDER_DEFAULT);
void Canny(InputArray from, OutputArray to, double low, double high, int size = 3, bool exact = false);
double threshold(InputArray from, OutputArray to, double at, double most, int kind);
void copyMakeBorder(InputArray from, OutputArray to, int top, int bottom, int left, int right, int border,
                    const Scalar &color = Scalar());
void equalizeHist(InputArray from, OutputArray to);
void setNumThreads(int count);
int getNumThreads();
int64_t getTickCount();
double getTickFrequency();
// It rounds, and stays in the range of `T`: what that gives is not computed here.
template <class T> T saturate_cast(double of);
inline int cvRound(double of) { return int(std::lrint(of)); }
inline int cvFloor(double of) { return int(std::floor(of)); }
inline int cvCeil(double of) { return int(std::ceil(of)); }

namespace utils {}
} // namespace cv
using cv::cvCeil;
using cv::cvFloor;
using cv::cvRound;
