#ifndef CINIH_H
#define CINIH_H
#include <ini.h>
#endif
