/* Prints and measures for all torture programs. */

#include "report.h"

#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <time.h>

static long faults;
static char folder[1024];
static pid_t owner;

struct dice dice_of(uint64_t seed, uint64_t which) {
    struct dice dice = { seed ^ (which * UINT64_C(0x9e3779b97f4a7c15)) };
    (void)dice_roll(&dice);
    return dice;
}

/* SplitMix64. */
uint64_t dice_roll(struct dice *dice) {
    uint64_t value = dice->state += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

long dice_below(struct dice *dice, long limit) {
    return limit <= 1 ? 0 : (long)(dice_roll(dice) % (uint64_t)limit);
}

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void pause_for(double seconds) {
    struct timespec pause;
    pause.tv_sec = (time_t)seconds;
    pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
    nanosleep(&pause, NULL);
}

void give_up(const char *what) {
    perror(what);
    exit(2);
}

void broken(const char *format, ...) {
    long number = __atomic_add_fetch(&faults, 1, __ATOMIC_SEQ_CST);
    char line[1000];
    va_list values;
    if (number > 20) return;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    printf("  BROKEN: %s\n", line);
    fflush(stdout);
}

long broken_count(void) {
    return __atomic_load_n(&faults, __ATOMIC_SEQ_CST);
}

void keep_longest(struct longest *longest, double seconds, const char *name) {
    if (seconds <= longest->seconds) return;
    longest->seconds = seconds;
    snprintf(longest->name, sizeof longest->name, "%s", name);
}

static void print_row(const char *experiment, const char *tried, const char *found, const char *promise) {
    const char *path = getenv("TORTURE_ROWS");
    FILE *file = path == NULL ? stdout : fopen(path, "a");
    if (file == NULL) give_up("TORTURE_ROWS");
    fprintf(file, "%-16s %-30s %-22s %s\n", experiment, tried, found, promise);
    if (file == stdout) fflush(file);
    else fclose(file);
}

static unsigned patience;

void row(const char *experiment, const char *tried, const char *found, long before) {
    if (patience > 0) alarm(patience);
    print_row(experiment, tried, found, broken_count() > before ? "BROKEN" : "held");
}

void row_left_out(const char *experiment, const char *why) {
    print_row(experiment, why, "", "not tried");
}

const char *text(const char *format, ...) {
    static __thread char texts[32][1400];
    static __thread unsigned next;
    char *made = texts[next++ % 32];
    va_list values;
    va_start(values, format);
    vsnprintf(made, sizeof texts[0], format, values);
    va_end(values);
    return made;
}

const char *brief(const char *format, ...) {
    static __thread char texts[8][64];
    static __thread unsigned next;
    char *made = texts[next++ % 8];
    va_list values;
    va_start(values, format);
    vsnprintf(made, sizeof texts[0], format, values);
    va_end(values);
    return made;
}

const char *scratch(void) {
    const char *parent = getenv("TMPDIR");
    if (folder[0] != '\0') return folder;
    snprintf(folder, sizeof folder, "%s/torture-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(folder) == NULL) give_up(folder);
    owner = getpid();
    return folder;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

void remove_tree(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

struct options read_options(int argc, char **argv, const char *help) {
    struct options options = { false, 0 };
    const char *seed = option(argc, argv, "--seed");
    int i;
    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--short") == 0) options.is_short = true;
        if (strcmp(argv[i], "--help") == 0) {
            fputs(help, stdout);
            exit(0);
        }
    }
    options.seed = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) * 1000003u ^ (uint64_t)getpid();
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    return options;
}

const char *option(int argc, char **argv, const char *name) {
    int i;
    for (i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0) return argv[i + 1];
    return NULL;
}

int finish(void) {
    if (broken_count() > 20) printf("  BROKEN: %ld in all\n", broken_count());
    if (folder[0] != '\0' && owner == getpid()) {
        if (broken_count() == 0 || getenv("TORTURE_KEEP") == NULL) remove_tree(folder);
        else printf("  its files: %s\n", folder);
    }
    return broken_count() > 0;
}

static void hangs(int signal_number) {
    static const char line[] = "  BROKEN: hangs\n";
    (void)signal_number;
    if (write(STDOUT_FILENO, line, sizeof line - 1) < 0) _exit(3);
    _exit(2);
}

void watchdog(unsigned seconds) {
    signal(SIGALRM, hangs);
    patience = seconds;
    alarm(seconds);
}

bool tells_too_much(const char *message) {
    return message[0] == '\0' || strchr(message, '/') != NULL || strchr(message, '@') != NULL ||
           strstr(message, "Given") != NULL || strstr(message, "Family") != NULL;
}
