// Part of Thrust.
#pragma once
#include "../../../heddle/thrust.h"
