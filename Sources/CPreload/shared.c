// What the library has in common with the supervisor.
#define _GNU_SOURCE
#include "preload.h"

#include "../CTrace/bundles.c"
#include "../CTrace/paths.c"
#include "../CTrace/redirect.c"
