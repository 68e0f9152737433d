/* Paths that are not UTF-8: of stores, keys, copies and contacts. */

#include "harness.h"
#include "people.h"

#include <dirent.h>

#define LATIN "caf\xe9"

/* How many files of the test's folder have names with U+FFFD in them. */
static int replaced_names(void) {
    int count = 0;
    DIR *folder = opendir(harness.folder);
    const struct dirent *entry;
    REQUIRE(folder != NULL);
    while ((entry = readdir(folder)) != NULL) count += strstr(entry->d_name, "\xef\xbf\xbd") != NULL;
    closedir(folder);
    return count;
}

static void every_file_has_the_bytes_of_its_path(void) {
    static const char *const names[] = { LATIN ".db", LATIN ".key", LATIN ".backup", LATIN ".copy", LATIN ".key.1" };
    kinfolk_service *service = NULL;
    kinfolk_container *notes;
    kinfolk_contacts *book = NULL;
    kinfolk_import *report = NULL;
    char *old = NULL;
    size_t i;
    OK(kinfolk_service_open(file_path(LATIN ".db"), NULL, &service));
    kinfolk_account_free(make_person(service, "Ada", "Lovelace", "ada@example.com"));
    notes = make_container(service, NOTES);
    write_file(file_path(LATIN ".csv"), "email\ngrace@example.org\n", 24);
    OK(kinfolk_container_import_people(notes, file_path(LATIN ".csv"), NULL, NULL, NULL, NULL, NULL));
    kinfolk_container_free(notes);
    write_file(file_path(LATIN ".txt"), "ada@example.com\n", 16);
    OK(kinfolk_contacts_new(&book));
    OK(kinfolk_contacts_add_file(book, file_path(LATIN ".txt"), &report));
    CHECK(kinfolk_import_added(report) == 1);
    OK(kinfolk_service_back_up(service, file_path(LATIN ".backup"), NULL, NULL));
    OK(kinfolk_service_copy(service, file_path(LATIN ".copy"), NULL, NULL));
    OK(kinfolk_service_rotate_keys(service, NULL, false, NULL, NULL, &old, NULL));
    SAME(old, file_path(LATIN ".key.1"));
    for (i = 0; i < sizeof names / sizeof names[0]; i++) CHECK(file_exists(file_path(names[i])));
    CHECK(replaced_names() == 0);
    kinfolk_free(old);
    kinfolk_import_free(report);
    kinfolk_contacts_free(book);
    kinfolk_service_free(service);
    kinfolk_service_free(open_with_key(file_path(LATIN ".db"), file_path(LATIN ".key")));
    kinfolk_service_free(open_with_key(file_path(LATIN ".backup"), file_path(LATIN ".key.1")));
    kinfolk_service_free(open_with_key(file_path(LATIN ".copy"), file_path(LATIN ".key.1")));
}

static void the_address_of_a_server_must_be_utf_8(void) {
    kinfolk_open_options options = KINFOLK_OPEN_OPTIONS_INIT;
    kinfolk_service *service = NULL;
    options.key_file = file_path("kinfolk.key");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_service_open("postgresql://localhost/" LATIN, &options, &service));
    CHECK(service == NULL);
}

BEGIN
    RUN_ON_FILES(every_file_has_the_bytes_of_its_path);
    RUN(the_address_of_a_server_must_be_utf_8);
END
