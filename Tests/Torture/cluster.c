/* PostgreSQL servers that servers.c makes, kills and promotes. */

#include "cluster.h"
#include "loopback.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

bool cluster_script(const char *words) {
    return system(text("./cluster %s", words)) == 0;
}

static void must(const char *words) {
    if (!cluster_script(words)) give_up(text("cluster %s", words));
}

void cluster_make(struct cluster *cluster, const char *name) {
    /* Servers are no children of the script that starts them. Adopt them when it ends, to be able to wait for them. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) give_up("prctl");
    snprintf(cluster->folder, sizeof cluster->folder, "%s/%s", scratch(), name);
    cluster->port = free_port();
    must(text("make '%s' %d", cluster->folder, cluster->port));
}

void cluster_follow(struct cluster *standby, const struct cluster *primary) {
    must(text("standby '%s' %d %d", standby->folder, standby->port, primary->port));
}

void cluster_start(const struct cluster *cluster, const char *settings) {
    must(text("start '%s' %s", cluster->folder, settings));
}

void cluster_promote(const struct cluster *cluster) {
    must(text("promote '%s'", cluster->folder));
}

void cluster_stop(const struct cluster *cluster) {
    (void)cluster_script(text("stop '%s'", cluster->folder));
}

/* ---- Killing */

static pid_t postmaster(const struct cluster *cluster) {
    FILE *file = fopen(text("%s/data/postmaster.pid", cluster->folder), "r");
    int pid = 0;
    if (file == NULL || fscanf(file, "%d", &pid) != 1 || pid <= 1) give_up("postmaster.pid");
    fclose(file);
    return pid;
}

static pid_t parent_of(pid_t pid) {
    FILE *file = fopen(text("/proc/%d/stat", (int)pid), "r");
    int parent = 0;
    if (file == NULL) return 0;
    if (fscanf(file, "%*d (%*[^)]) %*c %d", &parent) != 1) parent = 0;
    fclose(file);
    return parent;
}

void cluster_kill(const struct cluster *cluster) {
    enum { MOST = 400 };
    pid_t server = postmaster(cluster), killed[MOST];
    DIR *processes = opendir("/proc");
    struct dirent *entry;
    int count = 0, i;
    /* Stop the postmaster, so that it starts no new process meanwhile. */
    if (processes == NULL || kill(server, SIGSTOP) != 0) give_up("kill");
    while ((entry = readdir(processes)) != NULL && count < MOST) {
        pid_t pid = atoi(entry->d_name);
        if (pid > 1 && parent_of(pid) == server && kill(pid, SIGKILL) == 0) killed[count++] = pid;
    }
    closedir(processes);
    kill(server, SIGKILL);
    /* They are our children now. Wait for them: the next server checks that they have ended. */
    if (waitpid(server, NULL, 0) != server) give_up("waitpid");
    for (i = 0; i < count; i++) waitpid(killed[i], NULL, 0);
}

/* ---- SQL */

long cluster_query(const struct cluster *cluster, const char *database, const char *schema, const char *sql) {
    char answer[100] = "";
    FILE *pipe;
    setenv("DATABASE", database, 1);
    setenv("SCHEMA", schema, 1);
    setenv("SQL", sql, 1);
    pipe = popen(text("./cluster query '%s' %d \"$SQL\"", cluster->folder, cluster->port), "r");
    if (pipe == NULL) give_up("popen");
    if (fgets(answer, sizeof answer, pipe) == NULL) answer[0] = '\0';
    return pclose(pipe) == 0 ? atol(answer) : -1;
}

void cluster_make_database(const struct cluster *cluster, const char *name, const char *settings) {
    if (cluster_query(cluster, "postgres", "public", text("CREATE DATABASE %s %s", name, settings)) < 0)
        give_up("CREATE DATABASE");
}

pid_t cluster_hold(const struct cluster *cluster, const char *sql) {
    int ends[2];
    pid_t pid;
    if (pipe(ends) != 0) give_up("pipe");
    pid = fork();
    if (pid < 0) give_up("fork");
    if (pid == 0) {
        /* psql waits for input that never comes. */
        dup2(ends[0], STDIN_FILENO);
        execl("./cluster", "cluster", "hold", cluster->folder, text("%d", cluster->port), sql, (char *)NULL);
        _exit(127);
    }
    close(ends[0]);
    close(ends[1]);
    return pid;
}

bool cluster_said(const struct cluster *cluster, const char *words) {
    return system(text("grep -q '%s' '%s/server.log'", words, cluster->folder)) == 0;
}
