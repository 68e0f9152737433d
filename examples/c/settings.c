/* Settings that two devices of one person share. The program makes its store, "settings.db", in the folder where it runs,
 * and starts itself a second time as the other device. */
#define _POSIX_C_SOURCE 200809L
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

static void set_text(kinfolk_keyvalue *settings, const char *key, const char *text) {
    kinfolk_value *value;
    must(kinfolk_value_new_string(text, strlen(text), &value));
    must(kinfolk_keyvalue_set(settings, key, value));
    kinfolk_value_free(value);
}

static void set_number(kinfolk_keyvalue *settings, const char *key, int64_t number) {
    kinfolk_value *value;
    must(kinfolk_value_new_int64(number, &value));
    must(kinfolk_keyvalue_set(settings, key, value));
    kinfolk_value_free(value);
}

/* Prints the value of a key. */
static void show(const kinfolk_keyvalue *settings, const char *before, const char *key) {
    kinfolk_value *value;
    size_t count;
    must(kinfolk_keyvalue_get(settings, key, &value));
    if (kinfolk_value_type(value) == KINFOLK_STRING) {
        const char *const *texts;
        must(kinfolk_value_get_strings(value, &texts, NULL, &count));
        printf("%s%s = %s\n", before, key, texts[0]);
    } else {
        const int64_t *numbers;
        must(kinfolk_value_get_int64s(value, &numbers, &count));
        printf("%s%s = %lld\n", before, key, (long long)numbers[0]);
    }
    kinfolk_value_free(value);
}

/* The main thread waits at the other end of this pipe, as a program with an event loop would. */
static int told[2];

/* Runs on a thread of the service when another device has set or removed keys. */
static void changed(const kinfolk_keyvalue_changes *changes, void *context) {
    size_t i;
    (void)context;
    for (i = 0; i < kinfolk_keyvalue_changes_count(changes); i++) {
        const char *key = kinfolk_keyvalue_changes_key(changes, i);
        if (key && strcmp(key, "theme") == 0 && write(told[1], "", 1) != 1) exit(EXIT_FAILURE);
    }
}

static void wait_for_theme(void) {
    char byte;
    if (read(told[0], &byte, 1) != 1) exit(EXIT_FAILURE);
}

static kinfolk_keyvalue *open_settings(const char *device, kinfolk_service **service) {
    kinfolk_container *notes;
    kinfolk_account *ada;
    kinfolk_session *session;
    kinfolk_keyvalue *settings;
    must(kinfolk_service_open("settings.db", NULL, service));
    must(kinfolk_container_open(*service, "com.example.notes", &notes));
    must(kinfolk_account_find_by_email(*service, "ada@example.com", &ada));
    must(kinfolk_session_open_on_device(notes, ada, device, &session));
    must(kinfolk_session_keyvalue(session, &settings));
    must(kinfolk_keyvalue_on_change(settings, changed, NULL));
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    return settings;
}

static void be_tablet(void) {
    kinfolk_service *service;
    kinfolk_keyvalue *settings = open_settings("tablet", &service);
    wait_for_theme();
    show(settings, "tablet sees: ", "theme");
    set_number(settings, "size on tablet", 16);
    set_text(settings, "theme", "light");
    kinfolk_keyvalue_free(settings);
    kinfolk_service_free(service);
}

static void be_laptop(pid_t tablet) {
    kinfolk_service *service;
    kinfolk_keyvalue *settings = open_settings("laptop", &service);
    kinfolk_keyvalue_entries *entries;
    int status;
    size_t i;
    set_number(settings, "size on laptop", 12); /* A key of this device. */
    set_text(settings, "theme", "dark");        /* A key that both devices set. */
    wait_for_theme();
    show(settings, "laptop sees: ", "theme");
    if (waitpid(tablet, &status, 0) != tablet || status != 0) exit(EXIT_FAILURE);

    must(kinfolk_keyvalue_all(settings, &entries));
    for (i = 0; i < kinfolk_keyvalue_entries_count(entries); i++)
        show(settings, "", kinfolk_keyvalue_entries_key(entries, i));
    kinfolk_keyvalue_entries_free(entries);
    kinfolk_keyvalue_free(settings);
    kinfolk_service_free(service);
}

static void join(void) {
    kinfolk_service *service;
    kinfolk_container *notes;
    kinfolk_account *ada;
    must(kinfolk_service_open("settings.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.notes", &notes));
    must(kinfolk_account_find_or_create(service, "ada@example.com", "Ada", "Example", &ada, NULL));
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

int main(int argc, char **argv) {
    pid_t tablet;
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* If the other process fails, this one does not wait for ever. */
    alarm(60);
    if (pipe(told) != 0) return EXIT_FAILURE;
    if (argc > 1) {
        be_tablet();
        return 0;
    }
    join();
    tablet = fork();
    if (tablet == 0) {
        execl("/proc/self/exe", argv[0], "tablet", (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    be_laptop(tablet);
    return 0;
}
