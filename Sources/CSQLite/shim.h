#ifndef PUSHPIT_SQLITE_SHIM_H
#define PUSHPIT_SQLITE_SHIM_H
#include <sqlite3.h>
#endif
