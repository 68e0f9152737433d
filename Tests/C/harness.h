/*
 * harness.h: a small test harness. Include it first.
 *
 * A program is a list of RUN(behaviour) between BEGIN and END. Each behaviour is a function without arguments. It runs in an
 * empty folder of its own; file_path gives names in it. It runs on a thread with the smallest stack that the header allows, and the line
 * before the last says how much of the stack was used, and by which behaviour. A failed REQUIRE or OK ends it. A failed CHECK or FAILS lets it
 * continue, but it counts as failed. Only failures are printed. The last line is "N passed, N failed".
 * RUN_ON_FILES is for behaviours of stores in files: if the stores are on a server (store.h), these are skipped, and the last
 * line ends with ", N skipped".
 */

#ifndef HARNESS_H
#define HARNESS_H

#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <ftw.h>
#include <kinfolk.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static struct {
    const char *name;
    int faults;
    int passed, failed, skipped;
    char folder[1024];
    void (*after)(void); /* cleans up at the end of a test, in addition to its folder */
    jmp_buf leave;
    size_t deepest; /* the most bytes of the stack that a behaviour used */
    const char *deepest_name;
} harness;

#if defined(__GNUC__)
#define HARNESS_UNUSED __attribute__((unused))
#else
#define HARNESS_UNUSED
#endif

/* ---- Checks */

static void harness_fault(const char *file, int line, const char *what, const char *why) {
    if (harness.faults++ == 0) printf("FAILED %s\n", harness.name);
    printf("    %s:%d: %s: %s\n", file, line, what, why);
    fflush(stdout);
}

#define CHECK(condition) ((condition) ? (void)0 : harness_fault(__FILE__, __LINE__, #condition, "does not hold"))
#define REQUIRE(condition)                                                                                            \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            harness_fault(__FILE__, __LINE__, #condition, "does not hold");                                            \
            longjmp(harness.leave, 1);                                                                                 \
        }                                                                                                              \
    } while (0)

/* The call must succeed; the test ends if it does not. */
#define OK(call) harness_ok(__FILE__, __LINE__, #call, call)

HARNESS_UNUSED static void harness_ok(const char *file, int line, const char *what, kinfolk_status got) {
    char why[1200];
    if (got == KINFOLK_OK) return;
    snprintf(why, sizeof why, "%s (%s)", kinfolk_status_name(got), kinfolk_error_message());
    harness_fault(file, line, what, why);
    longjmp(harness.leave, 1);
}

/* The call must fail with this status, and its message must give the reason without naming a person or an address. */
#define FAILS(wanted, call) harness_fails(__FILE__, __LINE__, #call, call, wanted, wanted)
#define FAILS_EITHER(wanted, other, call) harness_fails(__FILE__, __LINE__, #call, call, wanted, other)

HARNESS_UNUSED static void harness_fails(const char *file, int line, const char *what, kinfolk_status got,
                                         kinfolk_status wanted, kinfolk_status other) {
    char why[1200];
    const char *message = kinfolk_error_message();
    if (got != wanted && got != other) {
        snprintf(why, sizeof why, "%s (%s), not %s", kinfolk_status_name(got), got == KINFOLK_OK ? "" : message,
                 kinfolk_status_name(wanted));
        harness_fault(file, line, what, why);
    } else if (message[0] == '\0') {
        harness_fault(file, line, what, "fails without a message");
    } else if (strstr(message, "@example") != NULL || strstr(message, "Lovelace") != NULL) {
        harness_fault(file, line, what, "its message names a person");
    }
}

/* Two texts must be the same, and neither may be NULL. */
#define SAME(got, wanted) harness_same(__FILE__, __LINE__, #got, got, wanted)

HARNESS_UNUSED static void harness_same(const char *file, int line, const char *what, const char *got,
                                        const char *wanted) {
    char why[1200];
    if (got != NULL && wanted != NULL && strcmp(got, wanted) == 0) return;
    snprintf(why, sizeof why, "\"%s\", not \"%s\"", got == NULL ? "NULL" : got,
             wanted == NULL ? "NULL" : wanted);
    harness_fault(file, line, what, why);
}

/* Two integers must be the same. */
#define EQUAL(got, wanted) harness_equal(__FILE__, __LINE__, #got, (long long)(got), (long long)(wanted))

HARNESS_UNUSED static void harness_equal(const char *file, int line, const char *what, long long got,
                                         long long wanted) {
    char why[100];
    if (got == wanted) return;
    snprintf(why, sizeof why, "%lld, not %lld", got, wanted);
    harness_fault(file, line, what, why);
}

/* ---- The test's folder */

/* A path in the folder of the running test. Up to 16 may be held at once. */
HARNESS_UNUSED static const char *file_path(const char *name) {
    static char paths[16][1200];
    static unsigned next;
    char *path = paths[next++ % 16];
    snprintf(path, sizeof paths[0], "%s/%s", harness.folder, name);
    return path;
}

HARNESS_UNUSED static void write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    REQUIRE(file != NULL);
    REQUIRE(fwrite(bytes, 1, length, file) == length);
    REQUIRE(fclose(file) == 0);
}

HARNESS_UNUSED static bool file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

static bool harness_has(const void *content, size_t size, const void *bytes, size_t length) {
    size_t at;
    for (at = 0; at + length <= size; at++)
        if (memcmp((const char *)content + at, bytes, length) == 0) return true;
    return false;
}

/* Whether a file contains these bytes anywhere. A file that does not exist contains nothing. */
HARNESS_UNUSED static bool file_holds(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "rb");
    unsigned char *content;
    size_t size;
    bool holds;
    if (file == NULL) return false;
    REQUIRE(fseek(file, 0, SEEK_END) == 0);
    size = (size_t)ftell(file);
    rewind(file);
    content = malloc(size + 1);
    REQUIRE(content != NULL && fread(content, 1, size, file) == size);
    fclose(file);
    holds = harness_has(content, size, bytes, length);
    free(content);
    return holds;
}

static int harness_remove(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

/* The address of the server with the tests' stores, or NULL if the stores are in files. */
HARNESS_UNUSED static const char *harness_server(void) {
    const char *server = getenv("KINFOLK_TEST_STORE");
    return server == NULL || server[0] == '\0' ? NULL : server;
}

/* ---- Time */

/* Seconds on the monotonic clock. */
HARNESS_UNUSED static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

HARNESS_UNUSED static void pause_for(double seconds) {
    struct timespec pause;
    pause.tv_sec = (time_t)seconds;
    pause.tv_nsec = (long)((seconds - (double)pause.tv_sec) * 1e9);
    nanosleep(&pause, NULL);
}

/* ---- Running */

/* How many seconds a test may take: more where a sanitizer slows it down. */
#ifndef HARNESS_PATIENCE
#define HARNESS_PATIENCE 600
#endif

/* A test that hangs is a failure like any other. */
static void harness_hangs(int signal_number) {
    static const char text[] = ": hangs\n";
    (void)signal_number;
    if (write(STDOUT_FILENO, "FAILED ", 7) < 0 || write(STDOUT_FILENO, harness.name, strlen(harness.name)) < 0 ||
        write(STDOUT_FILENO, text, sizeof text - 1) < 0)
        _exit(3);
    _exit(2);
}

/* ---- The stack */

/* The stack of a behaviour. Code with sanitizers needs much more than the header says. */
#ifndef HARNESS_STACK_KIB
#define HARNESS_STACK_KIB 128
#endif
#define HARNESS_STACK ((size_t)HARNESS_STACK_KIB << 10)

static void *harness_on_thread(void *behaviour) {
    void (*run)(void);
    memcpy(&run, behaviour, sizeof run);
    if (setjmp(harness.leave) == 0) run();
    return NULL;
}

/* Runs it on a thread of its own, below whose stack there is no memory. The stack is zero at first, and shows what was used. */
static void harness_run_on_stack(void (*behaviour)(void)) {
    const size_t guard = (size_t)64 << 10;
    const int none = open("/dev/zero", O_RDWR);
    unsigned char *memory = mmap(NULL, guard + HARNESS_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE, none, 0);
    size_t unused = guard;
    pthread_attr_t attributes;
    pthread_t thread;
    if (memory == MAP_FAILED || mprotect(memory, guard, PROT_NONE) != 0 || pthread_attr_init(&attributes) != 0 ||
        pthread_attr_setstack(&attributes, memory + guard, HARNESS_STACK) != 0 ||
        pthread_create(&thread, &attributes, harness_on_thread, &behaviour) != 0) {
        perror("a thread with a small stack");
        exit(2);
    }
    close(none);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (unused < guard + HARNESS_STACK && memory[unused] == 0) unused++;
    if (guard + HARNESS_STACK - unused > harness.deepest) {
        harness.deepest = guard + HARNESS_STACK - unused;
        harness.deepest_name = harness.name;
    }
    if (getenv("STACK") != NULL) fprintf(stderr, "  %s: %zu KiB of stack\n", harness.name, (guard + HARNESS_STACK - unused) >> 10);
    munmap(memory, guard + HARNESS_STACK);
}

static void harness_run(const char *name, void (*behaviour)(void)) {
    const char *parent = getenv("TMPDIR");
    harness.name = name;
    harness.faults = 0;
    snprintf(harness.folder, sizeof harness.folder, "%s/kinfolk-test-XXXXXX", parent == NULL ? "/tmp" : parent);
    if (mkdtemp(harness.folder) == NULL) {
        perror(harness.folder);
        exit(2);
    }
    if (getenv("VERBOSE") != NULL) fprintf(stderr, "  %s\n", name);
    alarm(HARNESS_PATIENCE);
    harness_run_on_stack(behaviour);
    if (harness.after != NULL && setjmp(harness.leave) == 0) harness.after();
    alarm(0);
    harness.after = NULL;
    nftw(harness.folder, harness_remove, 16, FTW_DEPTH | FTW_PHYS);
    harness.failed += harness.faults > 0;
    harness.passed += harness.faults == 0;
}

/* Runs one behaviour, unless the program was given the names of others. */
#define RUN(behaviour) HARNESS_RUN(behaviour, true)
#define RUN_ON_FILES(behaviour) HARNESS_RUN(behaviour, harness_server() == NULL)

#define HARNESS_RUN(behaviour, here)                                                                                   \
    do {                                                                                                               \
        int harness_wanted = argc < 2, harness_i;                                                                      \
        for (harness_i = 1; harness_i < argc; harness_i++)                                                             \
            if (strcmp(argv[harness_i], #behaviour) == 0) harness_wanted = 1;                                          \
        if (harness_wanted && (here)) harness_run(#behaviour, behaviour);                                              \
        else if (harness_wanted) harness.skipped++;                                                                    \
    } while (0)

#define BEGIN                                                                                                          \
    int main(int argc, char **argv) {                                                                                  \
        signal(SIGALRM, harness_hangs);                                                                                \
        signal(SIGPIPE, SIG_IGN);

#define END                                                                                                            \
        printf("at most %zu of %zu KiB of stack, in %s\n", (harness.deepest + 1023) >> 10, HARNESS_STACK >> 10,              \
               harness.deepest_name == NULL ? "no test" : harness.deepest_name);                                           \
        printf("%d passed, %d failed", harness.passed, harness.failed);                                                \
        if (harness.skipped > 0) printf(", %d skipped", harness.skipped);                                              \
        printf("\n");                                                                                                  \
        return harness.failed > 0 || harness.passed + harness.skipped == 0;                                            \
    }

#endif
