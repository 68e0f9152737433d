/*
 * loopback.h: sockets of 127.0.0.1.
 */

#ifndef LOOPBACK_H
#define LOOPBACK_H

#include "report.h"

/* A socket that listens on a free port. */
int listen_on_loopback(int *port);
/* A connection to the process that listens on a port, or -1. */
int connect_to_loopback(int port);
/* A free port. */
int free_port(void);

#endif
