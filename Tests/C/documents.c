/* Documents: contents, versions and conflicts, paths, searches, and what other devices change. */

#include "harness.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

#include <pthread.h>

static kinfolk_session *phone, *tablet;

static kinfolk_session *open_on(const char *device) {
    kinfolk_session *session = NULL;
    OK(kinfolk_session_open_on_device(notes, ada, device, &session));
    return session;
}

static void begin_with_devices(void) {
    begin();
    phone = open_on("phone");
    tablet = open_on("tablet");
}

static void end_with_devices(void) {
    kinfolk_session_free(phone);
    kinfolk_session_free(tablet);
    end();
}

static kinfolk_document *created(const kinfolk_session *session, const char *path, const char *text) {
    kinfolk_document *document = NULL;
    OK(kinfolk_document_create(session, path, (const uint8_t *)text, strlen(text), &document));
    return document;
}

static kinfolk_document *opened(const kinfolk_session *session, const char *path) {
    kinfolk_document *document = NULL;
    OK(kinfolk_document_open(session, path, &document));
    return document;
}

static void save(kinfolk_document *document, const char *text) {
    OK(kinfolk_document_save(document, (const uint8_t *)text, strlen(text)));
}

/* The text of a version. */
static const char *text_of(const kinfolk_document *document, size_t version) {
    static char text[1000];
    kinfolk_asset *asset = NULL;
    size_t count = 0;
    OK(kinfolk_document_version_asset(document, version, &asset));
    OK(kinfolk_asset_read(asset, 0, (uint8_t *)text, sizeof text - 1, &count));
    EQUAL(kinfolk_asset_size(asset), count);
    text[count] = '\0';
    kinfolk_asset_free(asset);
    return text;
}

static void a_document_is_created_opened_saved_moved_and_deleted(void) {
    kinfolk_document *letter, *same, *fetched = NULL, *none = NULL;
    begin_with_devices();
    letter = created(phone, "letters/test.txt", "Hello");
    SAME(kinfolk_document_path(letter), "letters/test.txt");
    CHECK(kinfolk_document_created_at(letter) > 0);
    EQUAL(kinfolk_document_version_count(letter), 1);
    EQUAL(kinfolk_document_conflict_count(letter), 0);
    EQUAL(strlen(kinfolk_document_version_id(letter, 0)), 32);
    SAME(kinfolk_document_version_device(letter, 0), "phone");
    CHECK(kinfolk_document_version_saved_at(letter, 0) > 0);
    CHECK(kinfolk_document_version_id(letter, 1) == NULL);
    FAILS(KINFOLK_CONFLICT, kinfolk_document_create(tablet, "letters", NULL, 0, &none));
    same = opened(tablet, "letters/test.txt");
    SAME(kinfolk_document_id(same), kinfolk_document_id(letter));
    SAME(text_of(same, 0), "Hello");
    save(same, "Hello again");
    SAME(text_of(same, 0), "Hello again");
    SAME(text_of(same, 1), "Hello");
    OK(kinfolk_document_move(same, "archive/test.txt"));
    SAME(kinfolk_document_path(same), "archive/test.txt");
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_document_open(phone, "letters/test.txt", &none));
    OK(kinfolk_document_set_excluded(same, true));
    CHECK(kinfolk_document_is_excluded(same));
    CHECK(!kinfolk_document_is_excluded(letter));
    OK(kinfolk_document_restore(same, kinfolk_document_version_id(same, 1)));
    SAME(text_of(same, 0), "Hello");
    CHECK(kinfolk_document_modified_at(same) >= kinfolk_document_created_at(same));
    OK(kinfolk_document_fetch(phone, kinfolk_document_id(letter), &fetched));
    SAME(kinfolk_document_path(fetched), "archive/test.txt");
    EQUAL(kinfolk_document_modified_at(fetched), kinfolk_document_modified_at(same));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_document_restore(same, "0123456789abcdef0123456789abcdef"));
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_document_delete(letter));
    OK(kinfolk_document_delete(same));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_document_delete(same));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_document_fetch(phone, kinfolk_document_id(letter), &none));
    CHECK(none == NULL);
    kinfolk_document_free(fetched);
    kinfolk_document_free(same);
    kinfolk_document_free(letter);
    end_with_devices();
}

static void a_conflict_keeps_both_versions_until_it_is_resolved(void) {
    kinfolk_document *one, *other;
    kinfolk_asset *upload = NULL;
    begin_with_devices();
    one = created(phone, "test.txt", "base");
    other = opened(tablet, "test.txt");
    save(one, "of the phone");
    save(other, "of the tablet");
    EQUAL(kinfolk_document_conflict_count(other), 1);
    SAME(text_of(other, 0), "of the phone");
    SAME(text_of(other, 1), "of the tablet");
    SAME(kinfolk_document_version_device(other, 1), "tablet");
    OK(kinfolk_document_resolve(other, kinfolk_document_version_id(other, 1)));
    EQUAL(kinfolk_document_conflict_count(other), 0);
    SAME(text_of(other, 0), "of the tablet");
    /* The phone has not seen that. */
    FAILS(KINFOLK_SERVER_RECORD_CHANGED, kinfolk_document_resolve(one, kinfolk_document_version_id(one, 0)));
    save(one, "late");
    OK(kinfolk_document_resolve_with(one, (const uint8_t *)"merged", 6));
    EQUAL(kinfolk_document_conflict_count(one), 0);
    SAME(text_of(one, 0), "merged");
    save(other, "late again");
    OK(kinfolk_document_upload(tablet, &upload));
    OK(kinfolk_asset_write(upload, (const uint8_t *)"in ", 3));
    OK(kinfolk_asset_write(upload, (const uint8_t *)"pieces", 6));
    OK(kinfolk_document_resolve_from(other, upload));
    SAME(text_of(other, 0), "in pieces");
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_document_save_from(other, upload));
    kinfolk_asset_free(upload);
    OK(kinfolk_document_upload(tablet, &upload));
    OK(kinfolk_asset_write(upload, (const uint8_t *)"once more", 9));
    OK(kinfolk_document_save_from(other, upload));
    SAME(text_of(other, 0), "once more");
    kinfolk_asset_free(upload);
    kinfolk_document_free(one);
    kinfolk_document_free(other);
    end_with_devices();
}

static void an_upload_belongs_to_its_session(void) {
    kinfolk_asset *upload = NULL, *of_records = NULL;
    kinfolk_document *document = NULL, *again = NULL;
    begin_with_devices();
    OK(kinfolk_document_upload(phone, &upload));
    OK(kinfolk_asset_write(upload, (const uint8_t *)"text", 4));
    OK(kinfolk_document_create_from(phone, "a", upload, &document));
    SAME(text_of(document, 0), "text");
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_document_create_from(phone, "b", upload, &again));
    kinfolk_asset_free(upload);
    OK(kinfolk_document_upload(phone, &upload));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_create_from(tablet, "b", upload, &again));
    OK(kinfolk_asset_new(private_of_ada, NULL, &of_records));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_create_from(phone, "b", of_records, &again));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_new(private_of_ada, "_documents", &of_records));
    kinfolk_asset_free(of_records);
    kinfolk_asset_free(upload);
    kinfolk_document_free(document);
    end_with_devices();
}

/* The paths that a search finds, with a space after each. */
static const char *found(const char *folder, const char *name, const char *prefix, uint32_t flags) {
    static char paths[1000];
    kinfolk_document_list *list = NULL;
    size_t i;
    paths[0] = '\0';
    OK(kinfolk_document_search(tablet, folder, name, prefix, flags, INT64_MIN, INT64_MAX, &list));
    for (i = 0; i < kinfolk_document_list_count(list); i++) {
        kinfolk_document *each = NULL;
        OK(kinfolk_document_list_document(list, i, &each));
        strcat(strcat(paths, kinfolk_document_path(each)), " ");
        kinfolk_document_free(each);
    }
    kinfolk_document_list_free(list);
    return paths;
}

static void documents_are_found(void) {
    kinfolk_document_list *list = NULL;
    kinfolk_document *document = NULL;
    begin_with_devices();
    kinfolk_document_free(created(phone, "b.txt", ""));
    kinfolk_document_free(created(phone, "notes/a.txt", ""));
    kinfolk_document_free(created(phone, "notes/old/c.md", ""));
    SAME(found(NULL, NULL, NULL, 0), "b.txt notes/a.txt notes/old/c.md ");
    SAME(found("notes", NULL, NULL, 0), "notes/a.txt notes/old/c.md ");
    SAME(found("notes", NULL, NULL, KINFOLK_SEARCH_SHALLOW), "notes/a.txt ");
    SAME(found(NULL, "?.md", "c", 0), "notes/old/c.md ");
    SAME(found(NULL, NULL, NULL, KINFOLK_SEARCH_CONFLICTS), "");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_search(phone, NULL, NULL, NULL, 4, 0, 0, &list));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_search(phone, "..", NULL, NULL, 0, 0, 0, &list));
    OK(kinfolk_document_search(phone, NULL, NULL, NULL, 0, INT64_MIN, 0, &list));
    EQUAL(kinfolk_document_list_count(list), 0);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_document_list_document(list, 0, &document));
    kinfolk_document_list_free(list);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_create(phone, "a/../b", NULL, 0, &document));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_open(phone, "\xff", &document));
    CHECK(document == NULL);
    end_with_devices();
}

/* ---- Folders of the disk */

static void documents_become_files_and_files_documents(void) {
    kinfolk_document *document;
    kinfolk_document_files *report = NULL;
    const char *folder = file_path("exported");
    char link_path[1100];
    begin_with_devices();
    kinfolk_document_free(created(phone, "notes/a.txt", "a"));
    document = created(phone, "b.txt", "b");
    OK(kinfolk_document_set_excluded(document, true));
    OK(kinfolk_document_export(phone, folder, false, NULL, NULL, &report));
    EQUAL(kinfolk_document_files_documents(report), 1);
    EQUAL(kinfolk_document_files_excluded(report), 1);
    EQUAL(kinfolk_document_files_bytes(report), 1);
    EQUAL(kinfolk_document_files_skipped(report), 0);
    kinfolk_document_files_free(report);
    OK(kinfolk_document_export(phone, folder, true, NULL, NULL, NULL));
    snprintf(link_path, sizeof link_path, "%s/link", folder);
    REQUIRE(symlink("b.txt", link_path) == 0);
    OK(kinfolk_document_import(tablet, folder, "copy", NULL, NULL, &report));
    EQUAL(kinfolk_document_files_documents(report), 2);
    EQUAL(kinfolk_document_files_skipped(report), 1);
    EQUAL(kinfolk_document_files_skip_count(report), 1);
    SAME(kinfolk_document_files_skip_path(report, 0), "link");
    SAME(kinfolk_document_files_skip_reason(report, 0), "link");
    CHECK(kinfolk_document_files_skip_path(report, 1) == NULL);
    kinfolk_document_files_free(report);
    OK(kinfolk_document_import(tablet, folder, "copy", NULL, NULL, &report));
    EQUAL(kinfolk_document_files_unchanged(report), 2);
    EQUAL(kinfolk_document_files_saved(report), 0);
    EQUAL(kinfolk_document_files_conflicts(report), 0);
    kinfolk_document_files_free(report);
    write_file(file_path("exported/b.txt"), "changed", 7);
    OK(kinfolk_document_import(tablet, folder, "copy", NULL, NULL, &report));
    EQUAL(kinfolk_document_files_saved(report), 1);
    kinfolk_document_files_free(report);
    SAME(found("copy", NULL, NULL, 0), "copy/b.txt copy/notes/a.txt ");
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_document_import(tablet, file_path("missing"), NULL, NULL, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_document_import(tablet, folder, "..", NULL, NULL, NULL));
    kinfolk_document_free(document);
    end_with_devices();
}

/* ---- Changes */

typedef struct told {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char text[1000];
} told;

static void tell(const kinfolk_document_changes *changes, void *context) {
    told *told = context;
    size_t i;
    pthread_mutex_lock(&told->lock);
    for (i = 0; i < kinfolk_document_changes_count(changes); i++) {
        kinfolk_document *document = NULL;
        char one[100];
        OK(kinfolk_document_changes_document(changes, i, &document));
        snprintf(one, sizeof one, "%d:%s ", (int)kinfolk_document_changes_kind(changes, i),
                 document == NULL ? "-" : kinfolk_document_path(document));
        strcat(told->text, one);
        kinfolk_document_free(document);
    }
    pthread_cond_broadcast(&told->changed);
    pthread_mutex_unlock(&told->lock);
}

/* Waits until the changes are these. The watchdog of the harness ends a wait that does not end. */
static void wait_for(told *told, const char *text) {
    pthread_mutex_lock(&told->lock);
    while (strcmp(told->text, text) != 0) pthread_cond_wait(&told->changed, &told->lock);
    pthread_mutex_unlock(&told->lock);
}

static void others_changes_are_told(void) {
    told told = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, "" };
    kinfolk_document_changes *changes = NULL, *next = NULL;
    kinfolk_document *own, *document;
    const uint8_t *token;
    size_t length;
    begin_with_devices();
    OK(kinfolk_document_changes_fetch(phone, NULL, 0, &changes));
    EQUAL(kinfolk_document_changes_count(changes), 0);
    OK(kinfolk_session_on_document_change(phone, NULL, 0, tell, &told));
    own = created(phone, "own", "");
    document = created(tablet, "a", "1");
    wait_for(&told, "1:a ");
    OK(kinfolk_document_move(document, "b"));
    wait_for(&told, "1:a 1:b ");
    OK(kinfolk_document_delete(document));
    wait_for(&told, "1:a 1:b 2:- ");
    OK(kinfolk_session_on_document_change(phone, NULL, 0, NULL, NULL));
    OK(kinfolk_document_changes_token(changes, &token, &length));
    CHECK(length >= 1 && length <= 256);
    OK(kinfolk_document_changes_fetch(phone, token, length, &next));
    EQUAL(kinfolk_document_changes_count(next), 2);
    EQUAL(kinfolk_document_changes_kind(next, 0), KINFOLK_DOCUMENT_CHANGED);
    SAME(kinfolk_document_changes_id(next, 0), kinfolk_document_id(own));
    EQUAL(kinfolk_document_changes_kind(next, 1), KINFOLK_DOCUMENT_DELETED);
    SAME(kinfolk_document_changes_id(next, 1), kinfolk_document_id(document));
    EQUAL(kinfolk_document_changes_kind(next, 2), 0);
    CHECK(kinfolk_document_changes_id(next, 2) == NULL);
    CHECK(!kinfolk_document_changes_more_coming(next));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED, kinfolk_document_changes_fetch(phone, (const uint8_t *)"x", 1, &changes));
    FAILS(KINFOLK_CHANGE_TOKEN_EXPIRED,
          kinfolk_session_on_document_change(phone, (const uint8_t *)"x", 1, tell, &told));
    kinfolk_document_changes_free(changes);
    kinfolk_document_changes_free(next);
    kinfolk_document_free(document);
    kinfolk_document_free(own);
    end_with_devices();
}

BEGIN
    RUN(a_document_is_created_opened_saved_moved_and_deleted);
    RUN(a_conflict_keeps_both_versions_until_it_is_resolved);
    RUN(an_upload_belongs_to_its_session);
    RUN(documents_are_found);
    RUN(documents_become_files_and_files_documents);
    RUN(others_changes_are_told);
END
