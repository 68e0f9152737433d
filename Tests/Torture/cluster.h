/*
 * cluster.h: PostgreSQL servers that servers.c makes, kills and promotes. What needs the server's own programs is in
 * the script cluster.
 */

#ifndef CLUSTER_H
#define CLUSTER_H

#include "report.h"

#include <sys/types.h>

struct cluster {
    char folder[1100];
    int port;
};

/* Makes a cluster, and starts it. */
void cluster_make(struct cluster *cluster, const char *name);
/* Makes, or makes anew, a standby without which `primary` commits nothing from now on. */
void cluster_follow(struct cluster *standby, const struct cluster *primary);
/* Ends the server and all its processes with kill -9. */
void cluster_kill(const struct cluster *cluster);
/* Starts it, and returns once it answers. `settings` are for this once: "-o '-c name=value'" or empty. */
void cluster_start(const struct cluster *cluster, const char *settings);
void cluster_promote(const struct cluster *cluster);
/* Ends it, if it runs. */
void cluster_stop(const struct cluster *cluster);

/* Runs SQL in a database and schema. The number that it returns; -1 if it fails. */
long cluster_query(const struct cluster *cluster, const char *database, const char *schema, const char *sql);
void cluster_make_database(const struct cluster *cluster, const char *name, const char *settings);

/* A session that runs SQL, and then does nothing until this process is killed. */
pid_t cluster_hold(const struct cluster *cluster, const char *sql);
/* Whether the server has written `words` into its log. */
bool cluster_said(const struct cluster *cluster, const char *words);

/* Runs ./cluster with these words. Whether it succeeded. */
bool cluster_script(const char *words);

#endif
