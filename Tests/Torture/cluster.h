/*
 * cluster.h: PostgreSQL servers that servers.c makes, kills and promotes. The script "cluster" calls the server's own
 * programs.
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
/* Makes a standby, or replaces it. From now on `primary` commits nothing without this standby. */
void cluster_follow(struct cluster *standby, const struct cluster *primary);
/* Ends the server and all its processes with kill -9. */
void cluster_kill(const struct cluster *cluster);
/* Starts it, and returns once it answers. `settings` apply to this start only: "-o '-c name=value'" or empty. */
void cluster_start(const struct cluster *cluster, const char *settings);
void cluster_promote(const struct cluster *cluster);
/* Stops it if it runs. */
void cluster_stop(const struct cluster *cluster);

/* Runs SQL in a database and schema. Returns the number in its result; -1 if it fails. */
long cluster_query(const struct cluster *cluster, const char *database, const char *schema, const char *sql);
void cluster_make_database(const struct cluster *cluster, const char *name, const char *settings);

/* Opens a session that runs SQL, and then stays open until this process is killed. */
pid_t cluster_hold(const struct cluster *cluster, const char *sql);
/* Whether the server has written `words` into its log. */
bool cluster_said(const struct cluster *cluster, const char *words);

/* Runs ./cluster with these arguments. Returns whether it succeeded. */
bool cluster_script(const char *words);

#endif
