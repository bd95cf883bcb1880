// Part of OpenCV.
#pragma once
#include "../heddle/opencv.h"
