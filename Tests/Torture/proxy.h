/*
 * proxy.h: a proxy before a server, in a separate process, which cuts connections.
 *
 * It listens on a port of 127.0.0.1, and passes the data on to another port. It can cut a connection after any byte, with
 * FIN or RST. And it can be silent: it then accepts data and passes nothing on, not even the end of a connection.
 */

#ifndef PROXY_H
#define PROXY_H

#include "report.h"

#include <sys/types.h>

enum proxy_mode {
    PROXY_PASSES,
    PROXY_BREAKS, /* after each piece of data the connection may be cut, or be silent for some time */
    PROXY_IS_SILENT
};

struct proxy {
    int port;
    pid_t pid;
    struct proxy_control *control;
};

void proxy_start(struct proxy *proxy, int server_port, uint64_t seed);
/* `one_in`: with PROXY_BREAKS, one piece in so many is not passed on. `silence`: the longest silence in seconds. */
void proxy_set(struct proxy *proxy, enum proxy_mode mode, int one_in, double silence);
/* The number of connections that were cut, and of silences. */
long proxy_cuts(const struct proxy *proxy);
long proxy_silences(const struct proxy *proxy);
void proxy_end(struct proxy *proxy);

#endif
