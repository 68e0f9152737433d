/* replay.c: runs a target once on each of the given files, without libFuzzer. */

#include "fuzz.h"

#include <signal.h>
#include <unistd.h>

__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

static const char *running;

static void say_which(int signal_number) {
    if (write(STDERR_FILENO, running, strlen(running)) < 0 || write(STDERR_FILENO, ": fails\n", 8) < 0) _exit(3);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void run(const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *data;
    long size;
    running = path;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0) {
        perror(path);
        exit(2);
    }
    rewind(file);
    data = malloc(size > 0 ? (size_t)size : 1); /* exactly as long as the input, so that AddressSanitizer detects reads after it */
    if (data == NULL ||
        fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

int main(int argc, char **argv) {
    static const int signals[] = { SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGALRM };
    size_t i;
    int n;
    for (i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], say_which);
    running = "the initialisation";
    if (LLVMFuzzerInitialize != NULL) LLVMFuzzerInitialize(&argc, &argv);
    for (n = 1; n < argc; n++) {
        alarm(60); /* an input that hangs is a finding too */
        run(argv[n]);
    }
    return argc < 2;
}
