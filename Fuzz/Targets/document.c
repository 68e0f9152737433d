/*
 * Documents: any text as a path, a name to search for, an ID or a version, any bytes as contents or a token. A small model says which
 * documents there are and what is in them. A copy that knows only the first version of a document never replaces a later one. In the end all
 * documents are written to a folder of the disk and read back.
 */

#define _GNU_SOURCE /* nftw */

#include "fuzz.h"
#include "store.h"

#include <ftw.h>

enum { MOST_DOCUMENTS = 8, FRESH_AFTER = 500 };

static kinfolk_session *session;
static unsigned inputs;

static struct document {
    char *path;
    kinfolk_document *handle, *old; /* old: as it was when the document was created */
    uint8_t contents[256];          /* of the current version */
    size_t length;
    bool is_saved; /* since it was created */
} documents[MOST_DOCUMENTS];
static size_t document_count;

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_container *container = NULL;
    kinfolk_account *account;
    kinfolk_session_free(session);
    session = NULL;
    kinfolk_service_free(service);
    service = store_make();
    account = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_session_open_on_device(container, account, "phone", &session));
    kinfolk_container_free(container);
    kinfolk_account_free(account);
}

/* ---- Paths */

static bool is_path(const char *path) {
    size_t length = strlen(path), name = 0, names = 1, i;
    if (length > 1024 || !is_utf_8(path, length)) return false;
    for (i = 0; i <= length; i++) {
        uint8_t byte = (uint8_t)path[i];
        if (byte == '/' || byte == 0) {
            const char *start = path + i - name;
            if (name == 0 || name > 255 || (name == 1 && start[0] == '.')) return false;
            if (name == 2 && start[0] == '.' && start[1] == '.') return false;
            names += byte == '/';
            name = 0;
            continue;
        }
        if (byte < 0x20 || byte == 0x7f) return false;
        if (byte == 0xc2 && (uint8_t)path[i + 1] < 0xa0) return false; /* U+0080 to U+009F */
        name++;
    }
    return names <= 32;
}

/* Whether `inner` is in the folder `outer`. */
static bool is_in(const char *inner, const char *outer) {
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 && inner[length] == '/';
}

static bool is_free(const char *path, const struct document *except) {
    size_t i;
    for (i = 0; i < document_count; i++) {
        const char *other = documents[i].path;
        if (&documents[i] == except) continue;
        if (strcmp(other, path) == 0 || is_in(other, path) || is_in(path, other)) return false;
    }
    return true;
}

/* ---- Steps */

static void check_contents(const struct document *document) {
    kinfolk_asset *asset = NULL;
    uint8_t bytes[257];
    size_t count = 0;
    OK(kinfolk_document_version_asset(document->handle, 0, &asset));
    OK(kinfolk_asset_read(asset, 0, bytes, sizeof bytes, &count));
    HOLDS(count == document->length && memcmp(bytes, document->contents, count) == 0);
    HOLDS(strcmp(kinfolk_document_path(document->handle), document->path) == 0);
    kinfolk_asset_free(asset);
}

static void create(const char *path, input *in) {
    struct document *document = &documents[document_count];
    size_t length;
    const uint8_t *contents = take_bytes(in, &length);
    kinfolk_document *handle = NULL;
    kinfolk_status status;
    if (document_count == MOST_DOCUMENTS) return;
    if (length & 1) {
        kinfolk_asset *upload = NULL;
        OK(kinfolk_document_upload(session, &upload));
        OK(kinfolk_asset_write(upload, contents, length));
        status = kinfolk_document_create_from(session, path, upload, &handle);
        kinfolk_asset_free(upload);
    } else {
        status = kinfolk_document_create(session, path, contents, length, &handle);
    }
    if (!is_path(path)) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
        FAILED(kinfolk_document_open(session, path, &handle), KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
        return;
    }
    if (!is_free(path, NULL)) {
        FAILED(status, KINFOLK_CONFLICT, KINFOLK_CONFLICT);
        return;
    }
    HOLDS(status == KINFOLK_OK);
    memset(document, 0, sizeof *document);
    document->path = strdup(path);
    document->handle = handle;
    OK(kinfolk_document_open(session, path, &document->old));
    HOLDS(strcmp(kinfolk_document_id(handle), kinfolk_document_id(document->old)) == 0);
    memcpy(document->contents, contents, length);
    document->length = length;
    document_count++;
}

static void save(struct document *document, input *in) {
    size_t length;
    const uint8_t *contents = take_bytes(in, &length);
    if (kinfolk_document_conflict_count(document->handle) > 0) {
        OK(kinfolk_document_resolve_with(document->handle, contents, length));
        HOLDS(kinfolk_document_conflict_count(document->handle) == 0);
    } else {
        OK(kinfolk_document_save(document->handle, contents, length));
    }
    memcpy(document->contents, contents, length);
    document->length = length;
    document->is_saved = true;
}

/* A save by somebody who knows only the first version. */
static void save_old(struct document *document, input *in) {
    size_t length, before;
    const uint8_t *contents = take_bytes(in, &length);
    if (!document->is_saved || kinfolk_document_conflict_count(document->handle) > 50) return;
    before = kinfolk_document_conflict_count(document->old);
    OK(kinfolk_document_save(document->old, contents, length));
    HOLDS(kinfolk_document_conflict_count(document->old) >= before && kinfolk_document_conflict_count(document->old) > 0);
    kinfolk_document_free(document->handle);
    OK(kinfolk_document_open(session, document->path, &document->handle));
    kinfolk_document_free(document->old);
    OK(kinfolk_document_open(session, document->path, &document->old));
    document->is_saved = false;
}

static void move(struct document *document, const char *path) {
    kinfolk_status status = kinfolk_document_move(document->handle, path);
    if (!is_path(path)) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    } else if (!is_free(path, document)) {
        FAILED(status, KINFOLK_CONFLICT, KINFOLK_CONFLICT);
    } else if (is_in(path, document->path)) { /* its present path would become a folder */
        if (status != KINFOLK_OK) FAILED(status, KINFOLK_CONFLICT, KINFOLK_CONFLICT);
    } else {
        HOLDS(status == KINFOLK_OK);
    }
    if (status != KINFOLK_OK) return;
    free(document->path);
    document->path = strdup(path);
}

/* A text as the ID of a version. */
static void use_version(struct document *document, const char *version) {
    kinfolk_status status = kinfolk_document_restore(document->handle, version);
    FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
    status = kinfolk_document_resolve(document->handle, version);
    FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
}

/* Whether a name has the form of a pattern: "*" stands for any characters, "?" for one. */
static bool matches(const char *name, const char *pattern) {
    const char *retry = NULL, *from = NULL;
    while (*name != '\0') {
        if (*pattern == '*') {
            retry = ++pattern;
            from = name;
        } else if (*pattern == '?' || *pattern == *name) {
            if (*pattern == '?') /* the other bytes of its character */
                while (((uint8_t)name[1] & 0xc0) == 0x80) name++;
            pattern++;
            name++;
        } else if (retry != NULL) {
            name = ++from;
            while (((uint8_t)*name & 0xc0) == 0x80) name = ++from;
            pattern = retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void search(input *in) {
    uint8_t choice = take_byte(in);
    char *folder = choice & 1 ? take_text(in) : NULL, *name = choice & 2 ? take_text(in) : NULL;
    char *prefix = choice & 4 ? take_text(in) : NULL;
    uint32_t flags = choice & 8 ? (uint32_t)take_byte(in) : 0;
    kinfolk_document_list *found = NULL;
    size_t count = 0, i;
    kinfolk_status status =
        kinfolk_document_search(session, folder, name, prefix, flags, INT64_MIN, INT64_MAX, &found);
    if (status != KINFOLK_OK) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
        HOLDS(flags > 3 || (folder != NULL && !is_path(folder)) ||
              (name != NULL && (strlen(name) > 1024 || !is_utf_8(name, strlen(name)))) ||
              (prefix != NULL && (strlen(prefix) > 1024 || !is_utf_8(prefix, strlen(prefix)))));
    } else {
        for (i = 0; i < document_count; i++) {
            const struct document *document = &documents[i];
            const char *own = last_name(document->path);
            bool wanted = (folder == NULL || is_in(document->path, folder)) && (name == NULL || matches(own, name)) &&
                          (prefix == NULL || strncmp(own, prefix, strlen(prefix)) == 0);
            if (flags & KINFOLK_SEARCH_SHALLOW)
                wanted = wanted && (folder == NULL ? own == document->path : own == document->path + strlen(folder) + 1);
            if (flags & KINFOLK_SEARCH_CONFLICTS)
                wanted = wanted && kinfolk_document_conflict_count(document->handle) > 0;
            count += wanted;
        }
        HOLDS(kinfolk_document_list_count(found) == count);
        kinfolk_document_list_free(found);
    }
    free(folder);
    free(name);
    free(prefix);
}

static void ignore(const kinfolk_document_changes *changes, void *context) { (void)changes, (void)context; }

static void use_oddities(input *in) {
    size_t length;
    const uint8_t *token = take_bytes(in, &length);
    kinfolk_document_changes *changes = NULL;
    kinfolk_document *document = NULL;
    char *id = take_text(in);
    if (length > 0) {
        FAILED(kinfolk_document_changes_fetch(session, token, length, &changes), KINFOLK_CHANGE_TOKEN_EXPIRED,
               KINFOLK_INVALID_ARGUMENT);
        FAILED(kinfolk_session_on_document_change(session, token, length, ignore, NULL), KINFOLK_CHANGE_TOKEN_EXPIRED,
               KINFOLK_INVALID_ARGUMENT);
    }
    FAILED(kinfolk_document_fetch(session, id, &document), KINFOLK_UNKNOWN_ITEM, KINFOLK_INVALID_ARGUMENT);
    free(id);
}

/* ---- The disk */

static int remove_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    return remove(path);
}

/* Writes all documents to a folder, and reads them into another folder of the documents. */
static void copy_all(const char *folder) {
    kinfolk_document_files *written = NULL, *read = NULL;
    char *path = strdup(store_path("copies"));
    size_t files;
    kinfolk_status status;
    OK(kinfolk_document_export(session, path, false, NULL, NULL, &written));
    files = kinfolk_document_files_documents(written) + kinfolk_document_files_conflicts(written);
    HOLDS(kinfolk_document_files_documents(written) <= document_count);
    HOLDS(kinfolk_document_files_skipped(written) > 0 || kinfolk_document_files_documents(written) == document_count);
    status = kinfolk_document_import(session, path, folder, NULL, NULL, &read);
    if (!is_path(folder)) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    } else {
        HOLDS(status == KINFOLK_OK);
        HOLDS(kinfolk_document_files_documents(read) + kinfolk_document_files_saved(read) +
                  kinfolk_document_files_unchanged(read) + kinfolk_document_files_skipped(read) >= files);
        kinfolk_document_files_free(read);
    }
    kinfolk_document_files_free(written);
    nftw(path, remove_file, 8, FTW_DEPTH | FTW_PHYS);
    free(path);
}

static void delete_all(void) {
    kinfolk_document_list *all = NULL;
    size_t count, i;
    OK(kinfolk_document_search(session, NULL, NULL, NULL, 0, INT64_MIN, INT64_MAX, &all));
    count = kinfolk_document_list_count(all);
    for (i = 0; i < count; i++) {
        kinfolk_document *document = NULL;
        OK(kinfolk_document_list_document(all, i, &document));
        OK(kinfolk_document_delete(document));
        FAILED(kinfolk_document_save(document, NULL, 0), KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
        kinfolk_document_free(document);
    }
    kinfolk_document_list_free(all);
    for (i = 0; i < document_count; i++) {
        kinfolk_document_free(documents[i].handle);
        kinfolk_document_free(documents[i].old);
        free(documents[i].path);
    }
    document_count = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    size_t i, steps = 0;
    char *text;
    if (session == NULL || inputs++ >= FRESH_AFTER) {
        begin();
        inputs = 0;
    }
    while (in.left > 0 && steps++ < 40) {
        uint8_t step = take_byte(&in);
        struct document *document = document_count == 0 ? NULL : &documents[step / 8 % document_count];
        if (step % 8 == 6) {
            search(&in);
            continue;
        }
        if (step % 8 == 7) {
            use_oddities(&in);
            continue;
        }
        if (step % 8 == 2 || step % 8 == 3) {
            if (document != NULL) step % 8 == 2 ? save(document, &in) : save_old(document, &in);
        } else {
            text = take_text(&in);
            if (step % 8 < 2 || document == NULL) create(text, &in);
            else if (step % 8 == 4) move(document, text);
            else use_version(document, text);
            free(text);
        }
        if (document != NULL) check_contents(document);
    }
    for (i = 0; i < document_count; i++) check_contents(&documents[i]);
    text = take_text(&in);
    copy_all(size % 2 ? "copies" : text);
    free(text);
    delete_all();
    return 0;
}
