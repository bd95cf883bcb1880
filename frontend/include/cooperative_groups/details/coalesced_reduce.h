// Reductions over the groups within a warp.
#pragma once
#include "../reduce.h"
