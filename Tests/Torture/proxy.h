/*
 * proxy.h: a way to a server that breaks, in a process of its own.
 *
 * It listens on a port of 127.0.0.1 and passes on to another. It can cut a connection, at any byte, gently or with RST,
 * and fall silent: it then takes what comes and passes nothing on, not even that one side has hung up.
 */

#ifndef PROXY_H
#define PROXY_H

#include "report.h"

#include <sys/types.h>

enum proxy_mode {
    PROXY_PASSES,
    PROXY_BREAKS, /* each piece of the conversation may be the last, or the last for some time */
    PROXY_IS_SILENT
};

struct proxy {
    int port;
    pid_t pid;
    struct proxy_control *control;
};

void proxy_start(struct proxy *proxy, int server_port, uint64_t seed);
/* `one_in`: how many pieces pass for one that does not, when it breaks. `silence`: of at most so many seconds. */
void proxy_set(struct proxy *proxy, enum proxy_mode mode, int one_in, double silence);
/* How many connections were cut, and how many silences there were. */
long proxy_cuts(const struct proxy *proxy);
long proxy_silences(const struct proxy *proxy);
void proxy_end(struct proxy *proxy);

#endif
