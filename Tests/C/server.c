/* Addresses of servers that do not exist, and the errors about them. These tests need no server. */

#include "harness.h"
#include "children.h"

static const uint8_t a_key[KINFOLK_KEY_LENGTH] = "0123456789abcdefghijklmnopqrstu";

static void refused(kinfolk_status wanted, const char *address) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    options.key = a_key;
    options.key_length = sizeof a_key;
    FAILS(wanted, kinfolk_service_open(address, &options, &service));
    CHECK(service == NULL);
}

/* An address in the folder of the test, where nobody listens. */
static const char *nowhere(const char *begins) {
    static char address[1300];
    snprintf(address, sizeof address, "%shost=%s", begins, harness.folder);
    return address;
}

static void a_store_on_a_server_needs_an_explicit_key(void) {
    kinfolk_service *service = NULL;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_open(nowhere("postgresql://kinfolk@/kinfolk?"), NULL, &service));
    CHECK(service == NULL);
}

static void a_wrong_parameter_in_an_address_is_refused(void) {
    refused(KINFOLK_INVALID_ARGUMENT, nowhere("postgresql://kinfolk@/kinfolk?schema=a;b&"));
    refused(KINFOLK_INVALID_ARGUMENT, nowhere("postgresql://kinfolk@/kinfolk?pool_size=many&"));
}

/* The error is about the server, not about libpq. */
static void unavailable(const char *address) {
    refused(KINFOLK_SERVICE_UNAVAILABLE, address);
    CHECK(strstr(kinfolk_error_message(), "libpq5") == NULL);
}

static void a_missing_server_is_unavailable(void) {
    unavailable(nowhere("postgresql://kinfolk@/kinfolk?"));
    unavailable(nowhere("postgres://kinfolk@/kinfolk?schema=people&"));
    unavailable("postgresql://kinfolk:correct-horse@[::1]:1,127.0.0.1:1/kinfolk");
}

static void a_password_in_an_address_is_not_repeated(void) {
    unavailable(nowhere("postgresql://kinfolk:correct-horse@/kinfolk?"));
    CHECK(strstr(kinfolk_error_message(), "correct-horse") == NULL);
    unavailable(nowhere("postgresql://kinfolk@/kinfolk?password=correct-horse&"));
    CHECK(strstr(kinfolk_error_message(), "correct-horse") == NULL);
}

/* libpq would treat a part of such a password as a host, a port or a parameter, and print it. */
static void an_unescaped_character_in_a_password_is_refused_and_not_repeated(void) {
    static const char *const loose[] = { "postgresql://kinfolk:cor@rect-horse@/kinfolk",
                                         "postgresql://kinfolk:cor/rect-horse@/kinfolk",
                                         "postgresql://kinfolk:cor?rect-horse@/kinfolk",
                                         "postgresql://kinfolk:rect-horse/kinfolk",
                                         "postgresql://[::1]:rect-horse/kinfolk",
                                         "postgres://kinfolk:c@o/r@rect-horse@db.example.org/kinfolk?schema=people" };
    size_t i;
    for (i = 0; i < sizeof loose / sizeof loose[0]; i++) {
        refused(KINFOLK_INVALID_ARGUMENT, loose[i]);
        CHECK(strstr(kinfolk_error_message(), "rect-horse") == NULL);
    }
    unavailable(nowhere("postgresql://kinfolk:cor%40%2F%3Frect-horse@/kinfolk?"));
    CHECK(strstr(kinfolk_error_message(), "rect-horse") == NULL);
}

/* ---- Without libpq: a file that is no library hides it from a program that looks there first */

static const char *program;

static void start_without_libpq(void) {
    const char *path = getenv("LD_LIBRARY_PATH");
    char hiding[3000];
    snprintf(hiding, sizeof hiding, "%s:%s", harness.folder, path == NULL ? "" : path);
    REQUIRE(setenv("LD_LIBRARY_PATH", hiding, 1) == 0);
    REQUIRE(setenv("WITHOUT_LIBPQ", "1", 1) == 0);
    execl("/proc/self/exe", program, (char *)NULL);
    REQUIRE(!"started");
}

static void the_error_for_a_missing_libpq_names_its_package(void) {
    write_file(file_path("libpq.so.5"), "", 0);
    in_child(start_without_libpq);
}

static void without_libpq(void) {
    refused(KINFOLK_SERVICE_UNAVAILABLE, "postgresql://kinfolk@/kinfolk");
    CHECK(strstr(kinfolk_error_message(), "libpq5") != NULL);
    refused(KINFOLK_INVALID_ARGUMENT, "postgresql://kinfolk@/kinfolk?pool_size=0"); /* stores in files still work */
}

BEGIN
    program = argv[0];
    harness.name = "without_libpq";
    if (getenv("WITHOUT_LIBPQ") != NULL) {
        if (setjmp(harness.leave) == 0) without_libpq();
        return harness.faults > 0;
    }
    RUN(a_store_on_a_server_needs_an_explicit_key);
    RUN(a_wrong_parameter_in_an_address_is_refused);
    RUN(a_missing_server_is_unavailable);
    RUN(a_password_in_an_address_is_not_repeated);
    RUN(an_unescaped_character_in_a_password_is_refused_and_not_repeated);
    RUN(the_error_for_a_missing_libpq_names_its_package);
END
