#ifndef CSYSTEMD_H
#define CSYSTEMD_H
#include <systemd/sd-bus.h>
#include <systemd/sd-login.h>
#endif
