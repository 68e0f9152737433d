/* servers: the store is on PostgreSQL servers that are killed, promoted, disconnected, silent, or full. */

#include "cluster.h"
#include "crowd.h"
#include "loopback.h"
#include "proxy.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char help[] =
    "servers [--short] [--seed N] [--only NAME]\n"
    "\n"
    "Processes of several threads take the steps of their plans while something\n"
    "happens to the server of their store:\n"
    "\n"
    "killed       the server and all its processes end with kill -9, at any moment,\n"
    "             and it is started again; sometimes it is killed while it starts\n"
    "standby      a primary with a synchronous standby is killed, and the standby\n"
    "             promoted; the address names both; then they exchange roles\n"
    "cut          a proxy cuts connections after any byte, with and without RST, and\n"
    "             sometimes passes nothing on for a time\n"
    "silent       a server that accepts connections and never answers: when the\n"
    "             store is opened, and while it is in use\n"
    "starters     ten processes open an empty schema at the same time\n"
    "connections  other programs use all but three of the server's connections\n"
    "locks        the transaction of another program makes the server keep all\n"
    "             predicate locks, until it has no room for more\n"
    "disk         the server's disk is full\n"
    "\n"
    "Each time: every call returns, with success or serviceUnavailable, within its\n"
    "wait and the limits of docs/scaling.md. Acknowledged changes are there, once;\n"
    "failed ones are not, unless the call reported an unknown outcome; permits are\n"
    "spent once. Afterwards all threads continue with the same handles. (A kill\n"
    "loses nothing with fsync = off either: the effect of a power cut is the server's\n"
    "affair.)\n";

/* In seconds: the wait of all calls, and the limits in the address. The longest time of a call is, by docs/scaling.md, the
 * wait, then connecting to each host, then one statement and 5 s. One second more is for a slow machine. */
#define LIMITS "connect_timeout=2&statement_timeout=2"
enum { WAIT = 3, CONNECT = 2, STATEMENT = 2, LIMIT = WAIT + CONNECT + STATEMENT + 5 + 1 };

static struct options options;
static struct dice dice;

static double dice_seconds(double most) {
    return most * (double)dice_below(&dice, 1000) / 1000;
}

static const char *address_of(int port, const char *database) {
    return text("postgresql://kinfolk@127.0.0.1:%d/%s?" LIMITS, port, database);
}

static struct crowd crowd_of(const char *address, int processes, int threads) {
    struct crowd crowd;
    memset(&crowd, 0, sizeof crowd);
    crowd.address = address;
    crowd.wait = WAIT;
    crowd.limit = LIMIT;
    crowd.processes = processes;
    crowd.threads = threads;
    crowd.seed = dice_roll(&dice);
    return crowd;
}

struct asked {
    const struct cluster *cluster;
    const char *database, *schema;
};

static long query(void *context, const char *sql) {
    const struct asked *asked = context;
    return cluster_query(asked->cluster, asked->database, asked->schema, sql);
}

/* Checks the tables after the crowd has ended: no row refers to a missing row, and there are as many accounts as it made. */
static void check_tables(const struct cluster *cluster, const char *database, const struct tally *tally) {
    struct asked asked = { NULL, NULL, "public" };
    long accounts = -1;
    const char *why;
    asked.cluster = cluster;
    asked.database = database;
    why = inspect_tables(query, &asked, &accounts);
    if (*why != '\0') broken("%s", why);
    if (accounts < tally->living || accounts > tally->living + tally->unknown)
        broken("%ld accounts, not %ld to %ld", accounts, tally->living, tally->living + tally->unknown);
}

static void print_tally(const struct tally *tally) {
    printf("    %ld steps; %ld times serviceUnavailable, %ld of them with unknown outcome, %ld of those committed; the longest: %s, "
           "%.1f s.\n",
           tally->done, tally->unavailable, tally->doubts, tally->kept, tally->longest_step.name,
           tally->longest_step.seconds);
}

/* ---- killed */

static void be_killed(const struct cluster *cluster) {
    int rounds = options.is_short ? 4 : 40, i;
    long before = broken_count();
    double first, all, slowest = 0, slowest_all = 0;
    struct crowd crowd = crowd_of(address_of(cluster->port, "killed"), 3, 4);
    struct tally tally;
    cluster_make_database(cluster, "killed", "");
    crowd_start(&crowd);
    (void)crowd_goes_on(&crowd, 30, &all);
    for (i = 0; i < rounds && broken_count() == before; i++) {
        crowd_wait(&crowd, 0.3 + dice_seconds(1));
        cluster_kill(cluster);
        /* Sometimes longer than the wait of the calls. */
        crowd_wait(&crowd, i % 8 == 7 ? WAIT + 1 : dice_seconds(1));
        cluster_start(cluster, "");
        if (i % 4 == 3) {
            cluster_kill(cluster);
            cluster_start(cluster, "");
        }
        first = crowd_goes_on(&crowd, 10, &all);
        if (first > slowest) slowest = first;
        if (all > slowest_all) slowest_all = all;
    }
    tally = crowd_end(&crowd);
    check_tables(cluster, "killed", &tally);
    print_tally(&tally);
    printf("    %d kills; after the start the first step succeeded within %.2f s, one of each thread within %.2f s.\n",
           rounds + rounds / 4, slowest, slowest_all);
    if (tally.done < rounds * 20) broken("too few steps for a result");
    row("server killed", text("%d kills, %d threads", rounds + rounds / 4, 12),
        text("%ld kept, up in %.1f s", tally.done, slowest_all), before);
}

/* ---- standby */

static void take_over(struct cluster *first) {
    int rounds = options.is_short ? 1 : 6, i;
    long before = broken_count();
    double died, promoted, one, all, slowest = 0, slowest_promotion = 0;
    struct cluster second, *primary = first, *standby = &second, *other;
    struct crowd crowd;
    struct tally tally;
    snprintf(second.folder, sizeof second.folder, "%s/second", scratch());
    second.port = free_port();
    cluster_make_database(primary, "standby", "");
    crowd = crowd_of(text("postgresql://kinfolk@127.0.0.1:%d,127.0.0.1:%d/standby?" LIMITS, first->port, second.port),
                     3, 4);
    crowd.limit += CONNECT; /* two hosts */
    crowd_start(&crowd);
    for (i = 0; i < rounds && broken_count() == before; i++) {
        cluster_follow(standby, primary);
        (void)crowd_goes_on(&crowd, 10, &all);
        crowd_wait(&crowd, 0.5 + dice_seconds(1.5));
        died = seconds_now();
        cluster_kill(primary);
        crowd_wait(&crowd, dice_seconds(1));
        cluster_promote(standby);
        promoted = seconds_now();
        one = crowd_goes_on(&crowd, 15, &all);
        printf("    promoted %.2f s after the kill; %.2f s later a step succeeded, %.2f s later one of each thread.\n",
               promoted - died, one, all);
        if (promoted - died > slowest_promotion) slowest_promotion = promoted - died;
        if (all > slowest) slowest = all;
        other = primary, primary = standby, standby = other;
    }
    tally = crowd_end(&crowd);
    check_tables(primary, "standby", &tally);
    print_tally(&tally);
    if (tally.done < rounds * 50) broken("too few steps for a result");
    row("standby promoted", text("%d primaries killed", rounds), text("%ld kept, up in %.1f s", tally.done, slowest),
        before);
    if (primary == &second) {
        /* The other experiments use the first server again. */
        cluster_follow(first, &second);
        cluster_kill(&second);
        cluster_promote(first);
    }
    cluster_stop(&second);
}

/* ---- cut */

static void be_cut(const struct cluster *cluster) {
    double until, seconds = options.is_short ? 6 : 60, all;
    long before = broken_count();
    struct crowd crowd;
    struct proxy proxy;
    struct tally tally;
    cluster_make_database(cluster, "cut", "");
    proxy_start(&proxy, cluster->port, dice_roll(&dice));
    crowd = crowd_of(address_of(proxy.port, "cut"), 3, 4);
    crowd_start(&crowd);
    (void)crowd_goes_on(&crowd, 20, &all);
    for (until = seconds_now() + seconds; seconds_now() < until && broken_count() == before;) {
        /* Sometimes a silence lasts longer than a statement may. */
        bool is_long = dice_below(&dice, options.is_short ? 12 : 6) == 0;
        proxy_set(&proxy, PROXY_BREAKS, 20 + (int)dice_below(&dice, 400), is_long ? 10 : 0.5);
        crowd_wait(&crowd, 0.5 + dice_seconds(2));
    }
    proxy_set(&proxy, PROXY_PASSES, 0, 0);
    (void)crowd_goes_on(&crowd, LIMIT + 10, &all);
    tally = crowd_end(&crowd);
    check_tables(cluster, "cut", &tally);
    print_tally(&tally);
    printf("    %ld connections cut, %ld silences.\n", proxy_cuts(&proxy), proxy_silences(&proxy));
    if (proxy_cuts(&proxy) < seconds || tally.done < seconds * 5) broken("too few cuts or steps for a result");
    row("connection cut", text("%ld cuts, %ld silences", proxy_cuts(&proxy), proxy_silences(&proxy)),
        text("%ld kept, longest %.1f s", tally.done, tally.longest_step.seconds), before);
    proxy_end(&proxy);
}

/* ---- silent */

/* Opens a store on a server that never answers, in a child. The first process of this program never opens a store. */
static double open_in_vain(const char *address) {
    double *took = mmap(NULL, sizeof *took, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double result;
    long before = broken_count();
    pid_t pid;
    int status;
    if (took == MAP_FAILED) give_up("mmap");
    fflush(stdout);
    pid = fork();
    if (pid < 0) give_up("fork");
    if (pid == 0) {
        static struct ids none;
        struct hands hands;
        double began = seconds_now();
        kinfolk_status opened = hands_open(&hands, address, WAIT, &none);
        *took = seconds_now() - began;
        if (opened != KINFOLK_SERVICE_UNAVAILABLE) broken("opening: %s", kinfolk_status_name(opened));
        if (tells_too_much(kinfolk_error_message())) broken("the message names too much: %s", kinfolk_error_message());
        _exit(broken_count() > before);
    }
    waitpid(pid, &status, 0);
    if (status != 0) broken("opening a store on a silent server did not fail as it should");
    result = *took;
    munmap(took, sizeof *took);
    return result;
}

static void be_silent(const struct cluster *cluster) {
    int rounds = options.is_short ? 1 : 5, i;
    long before = broken_count();
    double opening, all, slowest = 0;
    struct crowd crowd;
    struct proxy proxy;
    struct tally tally;
    cluster_make_database(cluster, "silent", "");
    proxy_start(&proxy, cluster->port, dice_roll(&dice));
    proxy_set(&proxy, PROXY_IS_SILENT, 0, 0);
    opening = open_in_vain(address_of(proxy.port, "silent"));
    /* libpq counts whole seconds. */
    if (opening > CONNECT + 1.5) broken("opening a store on a silent server took %.1f s", opening);
    proxy_set(&proxy, PROXY_PASSES, 0, 0);
    crowd = crowd_of(address_of(proxy.port, "silent"), 2, 4);
    crowd_start(&crowd);
    for (i = 0; i < rounds && broken_count() == before; i++) {
        (void)crowd_goes_on(&crowd, 20, &all);
        crowd_wait(&crowd, dice_seconds(1));
        proxy_set(&proxy, PROXY_IS_SILENT, 0, 0);
        crowd_wait(&crowd, LIMIT + 2);
        proxy_set(&proxy, PROXY_PASSES, 0, 0);
        (void)crowd_goes_on(&crowd, 20, &all);
        if (all > slowest) slowest = all;
    }
    tally = crowd_end(&crowd);
    check_tables(cluster, "silent", &tally);
    print_tally(&tally);
    printf("    opening failed after %.1f s; when the server answered again, all threads continued within %.1f s.\n", opening,
           slowest);
    if (tally.unavailable < rounds * 8) broken("only %ld calls failed: the server was not silent", tally.unavailable);
    row("server silent", text("opening, and %d times in use", rounds),
        text("open %.1f s, step %.1f s", opening, tally.longest_step.seconds), before);
    proxy_end(&proxy);
}

/* ---- starters */

static void start_at_once(const char *address, const int *go) {
    static struct ids none;
    struct hands hands;
    kinfolk_account *account = NULL;
    long before = broken_count();
    while (!__atomic_load_n(go, __ATOMIC_SEQ_CST)) pause_for(0.0005);
    if (hands_open(&hands, address, 30, &none) != KINFOLK_OK) broken("opening: %s", kinfolk_error_message());
    else if (kinfolk_account_create(hands.service, "Given", "Family", &account) != KINFOLK_OK)
        broken("create: %s", kinfolk_error_message());
    kinfolk_account_free(account);
    _exit(broken_count() > before);
}

static void start_together(const struct cluster *cluster) {
    enum { STARTERS = 10 };
    int rounds = options.is_short ? 3 : 10, round, i, status;
    long before = broken_count();
    double began, slowest = 0;
    int *go = mmap(NULL, sizeof *go, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (go == MAP_FAILED) give_up("mmap");
    cluster_make_database(cluster, "starters", "");
    for (round = 0; round < rounds && broken_count() == before; round++) {
        const char *schema = text("at_once_%d", round);
        const char *address =
            text("postgresql://kinfolk@127.0.0.1:%d/starters?schema=%s", cluster->port, schema);
        pid_t pids[STARTERS];
        *go = 0;
        fflush(stdout);
        for (i = 0; i < STARTERS; i++) {
            pids[i] = fork();
            if (pids[i] < 0) give_up("fork");
            if (pids[i] == 0) start_at_once(address, go);
        }
        pause_for(0.05);
        began = seconds_now();
        __atomic_store_n(go, 1, __ATOMIC_SEQ_CST);
        for (i = 0; i < STARTERS; i++)
            if (waitpid(pids[i], &status, 0) != pids[i] || status != 0) broken("starter %d failed", i);
        if (seconds_now() - began > slowest) slowest = seconds_now() - began;
        if (cluster_query(cluster, "starters", schema, "SELECT count(*) FROM containers") != PLACES)
            broken("there are not %d containers", PLACES);
        if (cluster_query(cluster, "starters", schema, "SELECT count(*) FROM store_schema") != 1)
            broken("there is not one schema");
        if (cluster_query(cluster, "starters", schema, "SELECT count(*) FROM accounts") != STARTERS)
            broken("there are not %d accounts", STARTERS);
    }
    munmap(go, sizeof *go);
    printf("    the slowest ten were ready after %.2f s.\n", slowest);
    row("ten starters", text("%d times an empty schema", rounds), text("ready in %.2f s", slowest), before);
}

/* ---- connections */

static void have_no_connections(const struct cluster *cluster) {
    enum { ALL = 16, FREE = 3 };
    long before = broken_count();
    int i;
    pid_t pids[ALL - FREE];
    double all;
    struct crowd crowd;
    struct tally starved, tally;
    cluster_make_database(cluster, "connections", "");
    cluster_stop(cluster);
    cluster_start(cluster, text("-o '-c max_connections=%d'", ALL));
    for (i = 0; i < ALL - FREE; i++) pids[i] = cluster_hold(cluster, "");
    /* The query itself uses one more connection. */
    while (cluster_query(cluster, "postgres", "public",
                         "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'") <=
           ALL - FREE)
        pause_for(0.02);
    crowd = crowd_of(address_of(cluster->port, "connections"), 2, 4);
    crowd_start(&crowd);
    crowd_wait(&crowd, options.is_short ? 4 : 30);
    /* How soon more connections are needed than there are depends on the machine. */
    for (i = 0; i < 60 && crowd_tally(&crowd).unavailable == 0; i++) crowd_wait(&crowd, 1);
    starved = crowd_tally(&crowd);
    for (i = 0; i < ALL - FREE; i++) kill(pids[i], SIGKILL);
    for (i = 0; i < ALL - FREE; i++) waitpid(pids[i], NULL, 0);
    (void)crowd_goes_on(&crowd, 15, &all);
    tally = crowd_end(&crowd);
    cluster_stop(cluster);
    cluster_start(cluster, "");
    check_tables(cluster, "connections", &tally);
    print_tally(&tally);
    printf("    %ld steps while %d connections were free; with more free, all threads continued within %.1f s.\n", starved.done,
           FREE, all);
    if (starved.unavailable == 0) broken("no connection was refused");
    row("no connections", text("%d of %d free", FREE, ALL), text("%ld kept, up in %.1f s", tally.done, all), before);
}

/* ---- locks */

static void have_no_locks(const struct cluster *cluster) {
    long before = broken_count();
    double all;
    pid_t other;
    struct crowd crowd;
    struct tally tally;
    cluster_make_database(cluster, "locks", "");
    cluster_stop(cluster);
    cluster_start(cluster, "-o '-c max_connections=20 -c max_pred_locks_per_transaction=10'");
    other = cluster_hold(cluster, "BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT count(*) FROM pg_class");
    while (cluster_query(cluster, "postgres", "public",
                         "SELECT count(*) FROM pg_stat_activity WHERE state = 'idle in transaction'") != 1)
        pause_for(0.02);
    crowd = crowd_of(address_of(cluster->port, "locks"), 2, 4);
    crowd_start(&crowd);
    crowd_wait(&crowd, options.is_short ? 3 : 20);
    (void)crowd_goes_on(&crowd, 10, &all);
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    tally = crowd_end(&crowd);
    cluster_stop(cluster);
    cluster_start(cluster, "");
    check_tables(cluster, "locks", &tally);
    print_tally(&tally);
    if (!cluster_said(cluster, "max_pred_locks_per_transaction")) broken("the server had room for all predicate locks");
    if (tally.unavailable > 0) broken("a call failed");
    row("no locks left", "another's transaction is open", text("%ld kept, up in %.1f s", tally.done, all), before);
}

/* ---- disk */

static void have_no_room(const struct cluster *cluster) {
    long before = broken_count();
    const char *disk = text("%s/disk", cluster->folder);
    double all;
    struct crowd crowd;
    struct tally full, tally;
    if (!cluster_script(text("disk '%s' '%s' 64m", cluster->folder, disk))) {
        printf("    not tried: this system does not allow to make a disk for the server.\n");
        row_left_out("server disk full", "needs root, and mount");
        return;
    }
    if (cluster_query(cluster, "postgres", "public", text("CREATE TABLESPACE small LOCATION '%s'", disk)) < 0)
        give_up("CREATE TABLESPACE");
    cluster_make_database(cluster, "disk", "TABLESPACE small");
    crowd = crowd_of(address_of(cluster->port, "disk"), 2, 4);
    crowd_start(&crowd);
    (void)crowd_goes_on(&crowd, 20, &all);
    if (system(text("head -c 100000000 /dev/zero >'%s/filler' 2>/dev/null", disk)) == 0) broken("the disk is not full");
    crowd_wait(&crowd, options.is_short ? 3 : 15);
    full = crowd_tally(&crowd);
    if (unlink(text("%s/filler", disk)) != 0) give_up("filler");
    (void)crowd_goes_on(&crowd, 15, &all);
    tally = crowd_end(&crowd);
    check_tables(cluster, "disk", &tally);
    print_tally(&tally);
    printf("    with room again, all threads continued within %.1f s.\n", all);
    if (full.unavailable == 0) broken("no call failed while the disk was full");
    row("server disk full", text("%ld calls failed", full.unavailable),
        text("%ld kept, up in %.1f s", tally.done, all), before);
    cluster_query(cluster, "postgres", "public", "DROP DATABASE disk");
    cluster_query(cluster, "postgres", "public", "DROP TABLESPACE small");
    (void)cluster_script(text("undisk '%s' '%s'", cluster->folder, disk));
}

int main(int argc, char **argv) {
    static struct cluster cluster;
    const char *only = option(argc, argv, "--only");
    options = read_options(argc, argv, help);
    dice = dice_of(options.seed, 9);
    watchdog(900);
    printf("  --seed %llu\n", (unsigned long long)options.seed);
    if (chmod(scratch(), 0755) != 0) give_up(scratch()); /* the server may run as another user */
    cluster_make(&cluster, "first");
#define TRY(name, experiment)                                                                                          \
    if (only == NULL || strcmp(only, name) == 0) {                                                                     \
        printf("  " name ":\n");                                                                                      \
        experiment(&cluster);                                                                                          \
    }
    TRY("killed", be_killed)
    TRY("standby", take_over)
    TRY("cut", be_cut)
    TRY("silent", be_silent)
    TRY("starters", start_together)
    TRY("connections", have_no_connections)
    TRY("locks", have_no_locks)
    TRY("disk", have_no_room)
    cluster_stop(&cluster);
    return finish();
}
