/* A document that two devices of one person edit. The program makes its store, "document-editor.db", in the folder where it
 * runs, and starts itself a second time as the other device. */
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

/* Reads a version of a document: 0 is the current one. Returns how many bytes it has. */
static size_t read_version(const kinfolk_document *document, size_t index, char *text, size_t room) {
    kinfolk_asset *contents;
    size_t count;
    must(kinfolk_document_version_asset(document, index, &contents));
    must(kinfolk_asset_read(contents, 0, (uint8_t *)text, room, &count));
    kinfolk_asset_free(contents);
    return count;
}

static void show(const char *before, const kinfolk_document *document, size_t index) {
    char text[100];
    size_t count = read_version(document, index, text, sizeof text);
    printf("%s: %.*s\n", before, (int)count, text);
}

/* Opens the contents, adds a text at the end, and saves. */
static void add(kinfolk_document *document, const char *more) {
    char text[100];
    size_t count = read_version(document, 0, text, sizeof text);
    if (count + strlen(more) > sizeof text) exit(EXIT_FAILURE);
    memcpy(text + count, more, strlen(more));
    must(kinfolk_document_save(document, (const uint8_t *)text, count + strlen(more)));
}

/* The first document with this name, in any folder. */
static kinfolk_document *find(const kinfolk_session *session, const char *name) {
    kinfolk_document_list *found;
    kinfolk_document *document;
    must(kinfolk_document_search(session, NULL, name, NULL, 0, INT64_MIN, INT64_MAX, &found));
    must(kinfolk_document_list_document(found, 0, &document));
    kinfolk_document_list_free(found);
    return document;
}

/* The main thread waits at the other end of this pipe, as a program with an event loop would. */
static int told[2];

/* Runs on a thread of the service when another device has changed a document. */
static void changed(const kinfolk_document_changes *changes, void *context) {
    (void)context;
    if (kinfolk_document_changes_kind(changes, 0) == KINFOLK_DOCUMENT_CHANGED && write(told[1], "", 1) != 1)
        exit(EXIT_FAILURE);
}

static void wait_for_change(void) {
    char byte;
    if (read(told[0], &byte, 1) != 1) exit(EXIT_FAILURE);
}

static kinfolk_session *open_session(const char *device, kinfolk_service **service) {
    kinfolk_container *notes;
    kinfolk_account *ada;
    kinfolk_session *session;
    must(kinfolk_service_open("document-editor.db", NULL, service));
    must(kinfolk_container_open(*service, "com.example.notes", &notes));
    must(kinfolk_account_find_by_email(*service, "ada@example.com", &ada));
    must(kinfolk_session_open_on_device(notes, ada, device, &session));
    must(kinfolk_session_on_document_change(session, NULL, 0, changed, NULL));
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    return session;
}

static void be_tablet(void) {
    kinfolk_service *service;
    kinfolk_session *session = open_session("tablet", &service);
    kinfolk_document *document = find(session, "test.*");
    printf("tablet finds: %s\n", kinfolk_document_path(document));
    show("tablet opens", document, 0);
    add(document, ", bread");
    kinfolk_document_free(document);

    wait_for_change();
    must(kinfolk_document_open(session, "lists/test.txt", &document));
    show("tablet sees", document, 0);
    kinfolk_document_free(document);
    kinfolk_session_free(session);
    kinfolk_service_free(service);
}

static pid_t start(const char *program, const char *device) {
    pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", program, device, (char *)NULL);
        _exit(EXIT_FAILURE);
    }
    return child;
}

static void be_laptop(const char *program) {
    kinfolk_service *service;
    kinfolk_session *session = open_session("laptop", &service);
    kinfolk_document *document, *old;
    pid_t tablet;
    size_t before;
    int status;
    must(kinfolk_document_create(session, "lists/test.txt", (const uint8_t *)"Milk", 4, &document));
    must(kinfolk_document_open(session, "lists/test.txt", &old));
    kinfolk_document_free(document);
    tablet = start(program, "tablet");

    wait_for_change();
    document = find(session, "test.txt");
    show("laptop sees", document, 0);
    add(document, ", tea");
    if (waitpid(tablet, &status, 0) != tablet || status != 0) exit(EXIT_FAILURE);

    /* The old handle knows only the first version, so its save replaces nothing. */
    before = kinfolk_document_conflict_count(old);
    must(kinfolk_document_save(old, (const uint8_t *)"Milk, eggs", 10));
    if (kinfolk_document_conflict_count(old) > before) {
        show("current", old, 0);
        show("conflict", old, 1);
        must(kinfolk_document_resolve_with(old, (const uint8_t *)"Milk, bread, tea, eggs", 22));
    }
    show("resolved", old, 0);
    kinfolk_document_free(old);

    /* The older versions follow the current one, the newest first. */
    must(kinfolk_document_open(session, "lists/test.txt", &old));
    printf("versions: %zu, the oldest ", kinfolk_document_version_count(old));
    show("one", old, kinfolk_document_version_count(old) - 1);
    kinfolk_document_free(old);
    kinfolk_document_free(document);
    kinfolk_session_free(session);
    kinfolk_service_free(service);
}

static void join(void) {
    kinfolk_service *service;
    kinfolk_container *notes;
    kinfolk_account *ada;
    must(kinfolk_service_open("document-editor.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.notes", &notes));
    must(kinfolk_account_find_or_create(service, "ada@example.com", "Ada", "Example", &ada, NULL));
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    kinfolk_service_free(service);
}

int main(int argc, char **argv) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    /* If the other process fails, this one does not wait for ever. */
    alarm(60);
    if (pipe(told) != 0) return EXIT_FAILURE;
    if (argc > 1) {
        be_tablet();
        return 0;
    }
    join();
    be_laptop(argv[0]);
    return 0;
}
