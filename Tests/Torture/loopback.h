/*
 * loopback.h: sockets of 127.0.0.1.
 */

#ifndef LOOPBACK_H
#define LOOPBACK_H

#include "report.h"

/* A socket that listens on a port which nobody had. */
int listen_on_loopback(int *port);
/* A connection to whoever listens on a port, or -1. */
int connect_to_loopback(int port);
/* A port that nobody has. */
int free_port(void);

#endif
