// Scans over the groups within a warp.
#pragma once
#include "../scan.h"
