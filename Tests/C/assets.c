/* Assets: files of records. They are written in pieces or from files of the disk, set in records, and read from any offset. Quotas limit
 * their bytes, and an export has their files. */

#include "harness.h"
#include "children.h"
#include "people.h"
#include "two_people.h"
#include "notes.h"

#include <pthread.h>

/* ---- Assets */

/* Content that no piece of it repeats. */
static uint8_t *content_of(size_t size, unsigned seed) {
    uint8_t *content = malloc(size + 1);
    uint32_t state = seed * 2654435761u + 1;
    size_t i;
    REQUIRE(content != NULL);
    for (i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        content[i] = (uint8_t)(state >> 24);
    }
    return content;
}

/* Adds a text to an asset. */
static kinfolk_status write_text(kinfolk_asset *asset, const char *text) {
    return kinfolk_asset_write(asset, (const uint8_t *)text, strlen(text));
}

static kinfolk_asset *new_asset(const kinfolk_database *database) {
    kinfolk_asset *asset = NULL;
    OK(kinfolk_asset_new(database, NULL, &asset));
    REQUIRE(asset != NULL);
    return asset;
}

/* A complete asset that no record has yet. */
static kinfolk_asset *asset_with(const kinfolk_database *database, const void *bytes, size_t length) {
    kinfolk_asset *asset = new_asset(database);
    OK(kinfolk_asset_write(asset, bytes, length));
    OK(kinfolk_asset_finish(asset));
    return asset;
}

static kinfolk_asset *asset_of_size(const kinfolk_database *database, size_t size) {
    uint8_t *content = content_of(size, 1);
    kinfolk_asset *asset = asset_with(database, content, size);
    free(content);
    return asset;
}

/* Saves a note with an asset in the field "file". */
static void save_with(const kinfolk_database *database, const char *name, const kinfolk_asset *asset) {
    kinfolk_record *note = NULL;
    OK(kinfolk_record_new("Note", name, NULL, &note));
    OK(kinfolk_record_set_asset(note, "file", asset));
    OK(kinfolk_database_save(database, note, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(note);
}

/* The asset of a note that is fetched. */
static kinfolk_asset *fetched_asset(const kinfolk_database *database, const char *name) {
    kinfolk_record *note = NULL;
    kinfolk_asset *asset = NULL;
    OK(kinfolk_database_fetch(database, name, NULL, &note));
    OK(kinfolk_record_get_asset(note, "file", database, &asset));
    kinfolk_record_free(note);
    return asset;
}

/* The asset has this content, read in pieces of one size. */
static void check_content(const kinfolk_asset *asset, const uint8_t *content, size_t size, size_t piece) {
    uint8_t *buffer = malloc(piece + 1);
    size_t at = 0, count = 0;
    REQUIRE(buffer != NULL);
    EQUAL(kinfolk_asset_size(asset), size);
    for (;;) {
        buffer[piece] = 0x5a;
        OK(kinfolk_asset_read(asset, at, buffer, piece, &count));
        CHECK(buffer[piece] == 0x5a);
        EQUAL(count, size - at < piece ? size - at : piece);
        if (count == 0) break;
        REQUIRE(memcmp(buffer, content + at, count) == 0);
        at += count;
    }
    EQUAL(at, size);
    free(buffer);
}

static kinfolk_status read_a_byte(const kinfolk_asset *asset) {
    uint8_t byte;
    size_t count;
    return kinfolk_asset_read(asset, 0, &byte, 1, &count);
}

static uint64_t private_bytes(void) {
    uint64_t bytes = 0;
    OK(kinfolk_session_storage_use(adas, &bytes, NULL, NULL, NULL));
    return bytes;
}

static void begin_with_types(void) {
    const kinfolk_container *containers[2];
    size_t i;
    begin();
    containers[0] = notes;
    containers[1] = games;
    for (i = 0; i < 2; i++) {
        OK(kinfolk_schema_add_field(containers[i], "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
        OK(kinfolk_schema_add_field(containers[i], "Note", "file", KINFOLK_ASSET, KINFOLK_INDEX_STANDARD));
        OK(kinfolk_schema_add_field(containers[i], "Note", "files", KINFOLK_ASSET_LIST, 0));
    }
}

/* ---- Content */

static void a_file_is_read_as_it_was_written(void) {
    static const size_t sizes[] = { 0, 3000000 };
    size_t i;
    begin_with_types();
    for (i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        uint8_t *content = content_of(sizes[i], 7);
        kinfolk_asset *asset = new_asset(private_of_ada), *fetched;
        size_t at = 0, piece = 1;
        while (at < sizes[i]) {
            if (piece > sizes[i] - at) piece = sizes[i] - at;
            OK(kinfolk_asset_write(asset, content + at, piece));
            at += piece;
            EQUAL(kinfolk_asset_size(asset), at);
            piece = piece * 7 % 800001 + 1;
        }
        OK(kinfolk_asset_finish(asset));
        save_with(private_of_ada, "note", asset);
        check_content(asset, content, sizes[i], 100003);
        fetched = fetched_asset(private_of_ada, "note");
        check_content(fetched, content, sizes[i], 2000000);
        kinfolk_asset_free(fetched);
        kinfolk_asset_free(asset);
        free(content);
    }
    end();
}

static void the_digest_is_that_of_fips_180_4(void) {
    static const uint8_t abc[KINFOLK_DIGEST_LENGTH] = {
        0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
        0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c, 0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad
    };
    uint8_t digest[KINFOLK_DIGEST_LENGTH];
    kinfolk_asset *asset, *fetched;
    begin_with_types();
    asset = asset_with(private_of_ada, "abc", 3);
    save_with(private_of_ada, "note", asset);
    fetched = fetched_asset(private_of_ada, "note");
    OK(kinfolk_asset_sha256(asset, digest));
    CHECK(memcmp(digest, abc, sizeof abc) == 0);
    OK(kinfolk_asset_sha256(fetched, digest));
    CHECK(memcmp(digest, abc, sizeof abc) == 0);
    kinfolk_asset_free(fetched);
    kinfolk_asset_free(asset);
    end();
}

static void bytes_are_read_from_any_offset(void) {
    enum { SIZE = 600000 };
    static const uint64_t offsets[] = { 0, 1, 262143, 262144, 262145, SIZE - 1, SIZE, SIZE + 1, INT64_MAX, UINT64_MAX };
    static const size_t capacities[] = { 0, 1, 3, 262144, SIZE };
    static uint8_t buffer[SIZE + 1];
    uint8_t *content = content_of(SIZE, 3);
    kinfolk_asset *asset;
    size_t i, k, count;
    begin_with_types();
    asset = asset_with(private_of_ada, content, SIZE);
    for (i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        for (k = 0; k < sizeof capacities / sizeof capacities[0]; k++) {
            size_t rest = offsets[i] < SIZE ? SIZE - (size_t)offsets[i] : 0;
            size_t wanted = rest < capacities[k] ? rest : capacities[k];
            count = 77;
            buffer[wanted] = 0x5a;
            OK(kinfolk_asset_read(asset, offsets[i], buffer, capacities[k], &count));
            EQUAL(count, wanted);
            CHECK(buffer[wanted] == 0x5a);
            if (wanted > 0) CHECK(memcmp(buffer, content + offsets[i], wanted) == 0);
        }
    }
    count = 77;
    OK(kinfolk_asset_read(asset, 0, NULL, 0, &count));
    EQUAL(count, 0);
    count = 77;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_read(asset, 0, NULL, 1, &count));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_asset_read(asset, 0, buffer, (size_t)INT32_MAX + 1, &count));
    EQUAL(count, 77);
    kinfolk_asset_free(asset);
    free(content);
    end();
}

static void lists_of_assets_keep_their_order(void) {
    static const char *const texts[] = { "one", "twelve", "" };
    const kinfolk_asset *assets[4];
    kinfolk_asset *each[3], *found = NULL;
    kinfolk_value *value = NULL, *read = NULL;
    kinfolk_record *note = NULL;
    size_t i;
    begin_with_types();
    for (i = 0; i < 3; i++) assets[i] = each[i] = asset_with(private_of_ada, texts[i], strlen(texts[i]));
    assets[3] = each[0];
    OK(kinfolk_value_new_asset_list(assets, 4, &value));
    EQUAL(kinfolk_value_type(value), KINFOLK_ASSET_LIST);
    EQUAL(kinfolk_value_count(value), 4);
    for (i = 0; i < 3; i++) kinfolk_asset_free(each[i]);
    OK(kinfolk_record_new("Note", "note", NULL, &note));
    OK(kinfolk_record_set_value(note, "files", value));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_record_get_value(note, "files", &read));
    for (i = 0; i < 4; i++) {
        OK(kinfolk_value_get_asset(read, i, private_of_ada, &found));
        check_content(found, (const uint8_t *)texts[i % 3], strlen(texts[i % 3]), 4);
        kinfolk_asset_free(found);
        found = NULL;
    }
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_value_get_asset(read, 4, private_of_ada, &found));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_value_get_asset(read, SIZE_MAX, private_of_ada, &found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_asset(note, "files", private_of_ada, &found));
    CHECK(found == NULL);
    kinfolk_value_free(read);
    kinfolk_value_free(value);
    OK(kinfolk_value_new_asset_list(NULL, 0, &value));
    EQUAL(kinfolk_value_type(value), KINFOLK_ASSET_LIST);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_value_get_asset(value, 0, private_of_ada, &found));
    kinfolk_value_free(value);
    kinfolk_record_free(note);
    end();
}

static void one_asset_is_a_value_and_a_field(void) {
    kinfolk_field_type type = KINFOLK_STRING;
    kinfolk_asset *asset, *found = NULL;
    kinfolk_value *value = NULL, *text = NULL;
    kinfolk_record *note = NULL;
    begin_with_types();
    asset = asset_with(private_of_ada, "text", 4);
    OK(kinfolk_value_new_asset(asset, &value));
    EQUAL(kinfolk_value_type(value), KINFOLK_ASSET);
    EQUAL(kinfolk_value_count(value), 1);
    OK(kinfolk_value_get_asset(value, 0, private_of_ada, &found));
    check_content(found, (const uint8_t *)"text", 4, 10);
    kinfolk_asset_free(found);
    note = new_note("note", 1);
    OK(kinfolk_record_set_value(note, "file", value));
    OK(kinfolk_record_field_type(note, "file", &type));
    EQUAL(type, KINFOLK_ASSET);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_get_asset(note, "number", private_of_ada, &found));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_record_get_asset(note, "none", private_of_ada, &found));
    OK(kinfolk_value_new_string("text", 4, &text));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_get_asset(text, 0, private_of_ada, &found));
    kinfolk_value_free(text);
    kinfolk_value_free(value);
    kinfolk_record_free(note);
    kinfolk_asset_free(asset);
    end();
}

static void an_asset_without_a_database_is_not_read(void) {
    uint8_t digest[KINFOLK_DIGEST_LENGTH];
    kinfolk_asset *asset, *found = NULL;
    kinfolk_record *note = NULL;
    begin_with_types();
    asset = asset_with(private_of_ada, "text", 4);
    OK(kinfolk_record_new("Note", "note", NULL, &note));
    OK(kinfolk_record_set_asset(note, "file", asset));
    OK(kinfolk_record_get_asset(note, "file", NULL, &found));
    EQUAL(kinfolk_asset_size(found), 4);
    OK(kinfolk_asset_sha256(found, digest));
    FAILS(KINFOLK_INVALID_ARGUMENT, read_a_byte(found));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_save_to_file(found, file_path("file"), NULL, NULL));
    OK(kinfolk_record_set_asset(note, "file", found));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_asset_free(found);
    kinfolk_asset_free(asset);
    kinfolk_record_free(note);
    end();
}

static void an_asset_needs_no_handle_of_its_database(void) {
    kinfolk_asset *asset, *complete, *found;
    begin_with_types();
    asset = new_asset(private_of_ada);
    OK(write_text(asset, "te"));
    complete = asset_with(private_of_ada, "text", 4);
    save_with(private_of_ada, "note", complete);
    kinfolk_asset_free(complete);
    found = fetched_asset(private_of_ada, "note");
    kinfolk_database_free(private_of_ada);
    kinfolk_session_free(adas);
    kinfolk_account_free(ada);
    kinfolk_container_free(notes);
    OK(write_text(asset, "xt"));
    OK(kinfolk_asset_finish(asset));
    check_content(asset, (const uint8_t *)"text", 4, 10);
    check_content(found, (const uint8_t *)"text", 4, 10);
    private_of_ada = NULL, adas = NULL, ada = NULL, notes = NULL;
    end();
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, read_a_byte(found));
    kinfolk_asset_free(asset);
    kinfolk_asset_free(found);
}

/* ---- Uploads */

static void an_asset_that_is_not_complete_is_refused(void) {
    uint8_t digest[KINFOLK_DIGEST_LENGTH] = { 0x5a };
    const kinfolk_asset *assets[2];
    kinfolk_asset *asset, *complete;
    kinfolk_value *value = NULL;
    kinfolk_record *note = NULL;
    size_t count = 77;
    begin_with_types();
    note = new_note("note", 1);
    asset = new_asset(private_of_ada);
    complete = asset_with(private_of_ada, "text", 4);
    OK(write_text(asset, "text"));
    assets[0] = complete;
    assets[1] = asset;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_record_set_asset(note, "file", asset));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_asset(asset, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_value_new_asset_list(assets, 2, &value));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_sha256(asset, digest));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_read(asset, 0, digest, 1, &count));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_save_to_file(asset, file_path("file"), NULL, NULL));
    CHECK(value == NULL && count == 77 && digest[0] == 0x5a && !file_exists(file_path("file")));
    OK(kinfolk_asset_finish(asset));
    OK(kinfolk_record_set_asset(note, "file", asset));
    kinfolk_asset_free(asset);
    kinfolk_asset_free(complete);
    kinfolk_record_free(note);
    end();
}

static void a_complete_asset_stays_as_it_is(void) {
    kinfolk_asset *asset, *found;
    begin_with_types();
    asset = asset_with(private_of_ada, "text", 4);
    OK(kinfolk_asset_finish(asset));
    OK(kinfolk_asset_cancel(asset));
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, write_text(asset, "more"));
    write_file(file_path("more"), "more", 4);
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_asset_add_file(asset, file_path("more"), NULL, NULL));
    save_with(private_of_ada, "note", asset);
    check_content(asset, (const uint8_t *)"text", 4, 10);
    found = fetched_asset(private_of_ada, "note");
    OK(kinfolk_asset_finish(found));
    OK(kinfolk_asset_cancel(found));
    FAILS(KINFOLK_INVALID_ARGUMENT, write_text(found, "more"));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_add_file(found, file_path("more"), NULL, NULL));
    check_content(found, (const uint8_t *)"text", 4, 10);
    kinfolk_asset_free(found);
    kinfolk_asset_free(asset);
    end();
}

static void a_cancelled_or_freed_upload_gives_its_space_back(void) {
    uint8_t *content = content_of(1500000, 1);
    kinfolk_asset *asset;
    begin_with_types();
    asset = new_asset(private_of_ada);
    OK(kinfolk_asset_write(asset, content, 1500000));
    CHECK(private_bytes() > 1000000);
    OK(kinfolk_asset_cancel(asset));
    EQUAL(private_bytes(), 0);
    OK(kinfolk_asset_cancel(asset));
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_asset_write(asset, content, 1));
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_asset_finish(asset));
    FAILS(KINFOLK_INVALID_ARGUMENT, read_a_byte(asset));
    kinfolk_asset_free(asset);
    asset = new_asset(private_of_ada);
    OK(kinfolk_asset_write(asset, content, 1500000));
    CHECK(private_bytes() > 1000000);
    kinfolk_asset_free(asset);
    EQUAL(private_bytes(), 0);
    /* A complete asset is not deleted with its handle. */
    asset = asset_with(private_of_ada, content, 1500000);
    kinfolk_asset_free(asset);
    CHECK(private_bytes() > 1000000);
    kinfolk_asset_free(NULL);
    free(content);
    end();
}

/* ---- Others */

static void an_asset_belongs_to_a_zone(void) {
    kinfolk_asset *asset = NULL, *found = NULL;
    kinfolk_record *note = NULL;
    begin_with_types();
    OK(kinfolk_zone_save(private_of_ada, "Notes"));
    OK(kinfolk_asset_new(private_of_ada, "Notes", &asset));
    OK(write_text(asset, "text"));
    OK(kinfolk_asset_finish(asset));
    OK(kinfolk_record_new("Note", "note", "Notes", &note));
    OK(kinfolk_record_set_asset(note, "file", asset));
    OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_IF_UNCHANGED));
    OK(kinfolk_record_get_asset(note, "file", private_of_ada, &found));
    check_content(found, (const uint8_t *)"text", 4, 10);
    OK(kinfolk_zone_delete(private_of_ada, "Notes"));
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, read_a_byte(found));
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_asset_save_to_file(found, file_path("file"), NULL, NULL));
    CHECK(!file_exists(file_path("file")));
    kinfolk_asset_free(found);
    kinfolk_record_free(note);
    kinfolk_asset_free(asset);
    asset = NULL;
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_new(private_of_ada, "_Notes", &asset));
    CHECK(asset == NULL);
    end();
}

/* ---- Files of the disk */

struct seen {
    uint64_t done, total;
    size_t calls, last; /* `last`: the call that ends the work, or 0 */
    const char *changes; /* a file that grows at the first call, or NULL */
};

static bool see(uint64_t done, uint64_t total, void *context) {
    struct seen *seen = context;
    seen->calls++;
    CHECK(done > seen->done && done <= total);
    seen->done = done;
    seen->total = total;
    if (seen->changes != NULL && seen->calls == 1) {
        FILE *file = fopen(seen->changes, "ab");
        REQUIRE(file != NULL && fputs("more", file) >= 0 && fclose(file) == 0);
    }
    return seen->calls != seen->last;
}

static void files_are_added_and_saved(void) {
    enum { SIZE = 2500000 };
    struct seen seen = { 0, 0, 0, 0, NULL };
    uint8_t *content = content_of(SIZE, 5);
    /* A path is bytes. */
    const char *source = file_path("source\xff"), *target = file_path("target\xfe");
    kinfolk_asset *asset, *copy;
    begin_with_types();
    write_file(source, content, SIZE);
    asset = new_asset(private_of_ada);
    OK(kinfolk_asset_add_file(asset, source, see, &seen));
    EQUAL(seen.done, SIZE);
    EQUAL(seen.total, SIZE);
    CHECK(seen.calls > 1);
    OK(kinfolk_asset_finish(asset));
    save_with(private_of_ada, "note", asset);
    check_content(asset, content, SIZE, 1000000);
    memset(&seen, 0, sizeof seen);
    OK(kinfolk_asset_save_to_file(asset, target, see, &seen));
    EQUAL(seen.done, SIZE);
    EQUAL(seen.total, SIZE);
    CHECK(seen.calls > 1);
    copy = new_asset(private_of_ada);
    OK(kinfolk_asset_write(copy, content, 10));
    OK(kinfolk_asset_add_file(copy, target, NULL, NULL));
    OK(kinfolk_asset_finish(copy));
    EQUAL(kinfolk_asset_size(copy), SIZE + 10);
    kinfolk_asset_free(copy);
    /* A file that exists is replaced. */
    write_file(target, "old", 3);
    OK(kinfolk_asset_save_to_file(asset, target, NULL, NULL));
    copy = new_asset(private_of_ada);
    OK(kinfolk_asset_add_file(copy, target, NULL, NULL));
    OK(kinfolk_asset_finish(copy));
    check_content(copy, content, SIZE, 1000000);
    kinfolk_asset_free(copy);
    kinfolk_asset_free(asset);
    free(content);
    end();
}

/* How an upload of this file ends. */
static kinfolk_status added(const char *path) {
    kinfolk_asset *asset = new_asset(private_of_ada);
    kinfolk_status status = kinfolk_asset_add_file(asset, path, NULL, NULL);
    if (status != KINFOLK_OK) CHECK(kinfolk_asset_finish(asset) == KINFOLK_ASSET_NOT_AVAILABLE);
    kinfolk_asset_free(asset);
    return status;
}

static void only_regular_files_are_used(void) {
    kinfolk_asset *asset;
    begin_with_types();
    FAILS(KINFOLK_INVALID_ARGUMENT, added(harness.folder));
    FAILS(KINFOLK_INVALID_ARGUMENT, added(""));
    FAILS(KINFOLK_ASSET_FILE_NOT_FOUND, added(file_path("none")));
    REQUIRE(mkfifo(file_path("pipe"), 0600) == 0);
    FAILS(KINFOLK_INVALID_ARGUMENT, added(file_path("pipe")));
    asset = asset_with(private_of_ada, "text", 4);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_save_to_file(asset, harness.folder, NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_save_to_file(asset, "", NULL, NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_save_to_file(asset, file_path("pipe"), NULL, NULL));
    FAILS(KINFOLK_ASSET_FILE_NOT_FOUND, kinfolk_asset_save_to_file(asset, file_path("none/file"), NULL, NULL));
    REQUIRE(symlink("elsewhere", file_path("link")) == 0);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_asset_save_to_file(asset, file_path("link"), NULL, NULL));
    if (geteuid() != 0) { /* root may do everything */
        write_file(file_path("secret"), "text", 4);
        REQUIRE(chmod(file_path("secret"), 0) == 0);
        FAILS(KINFOLK_PERMISSION_FAILURE, added(file_path("secret")));
        REQUIRE(mkdir(file_path("closed"), 0500) == 0);
        FAILS(KINFOLK_PERMISSION_FAILURE, kinfolk_asset_save_to_file(asset, file_path("closed/file"), NULL, NULL));
    }
    kinfolk_asset_free(asset);
    end();
}

static void a_file_that_changes_is_refused(void) {
    struct seen seen = { 0, 0, 0, 0, NULL };
    uint8_t *content = content_of(3000000, 1);
    kinfolk_asset *asset;
    uint64_t before;
    begin_with_types();
    before = private_bytes();
    write_file(file_path("source"), content, 3000000);
    seen.changes = file_path("source");
    asset = new_asset(private_of_ada);
    FAILS(KINFOLK_ASSET_FILE_MODIFIED, kinfolk_asset_add_file(asset, file_path("source"), see, &seen));
    EQUAL(private_bytes(), before);
    kinfolk_asset_free(asset);
    free(content);
    end();
}

static void progress_ends_an_upload_and_a_saving(void) {
    struct seen seen = { 0, 0, 0, 2, NULL };
    uint8_t *content = content_of(3000000, 1);
    kinfolk_asset *asset;
    uint64_t before;
    begin_with_types();
    before = private_bytes();
    write_file(file_path("source"), content, 3000000);
    asset = new_asset(private_of_ada);
    FAILS(KINFOLK_CANCELLED, kinfolk_asset_add_file(asset, file_path("source"), see, &seen));
    EQUAL(seen.calls, 2);
    EQUAL(private_bytes(), before);
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_asset_finish(asset));
    kinfolk_asset_free(asset);
    asset = asset_with(private_of_ada, content, 3000000);
    memset(&seen, 0, sizeof seen);
    seen.last = 2;
    write_file(file_path("target"), "old", 3);
    FAILS(KINFOLK_CANCELLED, kinfolk_asset_save_to_file(asset, file_path("target"), see, &seen));
    EQUAL(seen.calls, 2);
    CHECK(file_holds(file_path("target"), "old", 3));
    kinfolk_asset_free(asset);
    free(content);
    end();
}

/* ---- Threads and processes */

struct reader {
    const kinfolk_asset *asset;
    const uint8_t *content;
    size_t size, from;
    bool is_same;
};

static void *read_in_thread(void *context) {
    struct reader *reader = context;
    uint8_t buffer[1000];
    size_t at, count;
    reader->is_same = true;
    for (at = reader->from; at < reader->size; at += 70001)
        if (kinfolk_asset_read(reader->asset, at, buffer, sizeof buffer, &count) != KINFOLK_OK ||
            memcmp(buffer, reader->content + at, count) != 0)
            reader->is_same = false;
    return NULL;
}

static void threads_read_one_asset_at_the_same_time(void) {
    enum { THREADS = 4, SIZE = 2000000 };
    struct reader readers[THREADS];
    pthread_t threads[THREADS];
    uint8_t *content = content_of(SIZE, 9);
    kinfolk_asset *asset;
    size_t i;
    begin_with_types();
    asset = asset_with(private_of_ada, content, SIZE);
    for (i = 0; i < THREADS; i++) {
        readers[i].asset = asset;
        readers[i].content = content;
        readers[i].size = SIZE;
        readers[i].from = i * 1000;
        REQUIRE(pthread_create(&threads[i], NULL, read_in_thread, &readers[i]) == 0);
    }
    for (i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        CHECK(readers[i].is_same);
    }
    kinfolk_asset_free(asset);
    free(content);
    end();
}

static kinfolk_asset *inherited, *inherited_upload;

static void use_inherited_assets(void) {
    uint8_t digest[KINFOLK_DIGEST_LENGTH];
    kinfolk_asset *asset = NULL;
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, read_a_byte(inherited));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_asset_save_to_file(inherited, file_path("file"), NULL, NULL));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_asset_new(private_of_ada, NULL, &asset));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_asset_write(inherited_upload, digest, 1));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_asset_finish(inherited_upload));
    FAILS(KINFOLK_SERVICE_UNAVAILABLE, kinfolk_asset_cancel(inherited_upload));
    EQUAL(kinfolk_asset_size(inherited), 4);
    EQUAL(kinfolk_asset_size(inherited_upload), 1500000);
    OK(kinfolk_asset_sha256(inherited, digest));
    kinfolk_asset_free(inherited);
    kinfolk_asset_free(inherited_upload);
}

static void a_forked_child_leaves_uploads_to_its_parent(void) {
    uint8_t *content = content_of(1500000, 2);
    begin_with_types();
    inherited = asset_with(private_of_ada, "text", 4);
    inherited_upload = new_asset(private_of_ada);
    OK(kinfolk_asset_write(inherited_upload, content, 1500000));
    in_child(use_inherited_assets);
    OK(kinfolk_asset_finish(inherited_upload));
    check_content(inherited_upload, content, 1500000, 100000);
    kinfolk_asset_free(inherited);
    kinfolk_asset_free(inherited_upload);
    free(content);
    end();
}

/* ---- Quotas */

static uint64_t quota_of(kinfolk_quota quota) {
    uint64_t bytes = 77;
    OK(kinfolk_container_quota(notes, quota, &bytes));
    return bytes;
}

static void quotas_are_set_and_removed(void) {
    kinfolk_quota quota;
    uint64_t bytes = 77;
    begin_with_types();
    EQUAL(quota_of(KINFOLK_QUOTA_ASSET), 250000000);
    for (quota = KINFOLK_QUOTA_USER; quota <= KINFOLK_QUOTA_KEYVALUE; quota++) {
        if (quota != KINFOLK_QUOTA_ASSET) CHECK(quota_of(quota) == KINFOLK_NO_QUOTA);
        OK(kinfolk_container_set_quota(notes, quota, 1000 + quota));
    }
    for (quota = KINFOLK_QUOTA_USER; quota <= KINFOLK_QUOTA_KEYVALUE; quota++) EQUAL(quota_of(quota), 1000 + quota);
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, 0));
    EQUAL(quota_of(KINFOLK_QUOTA_USER), 0);
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, INT64_MAX));
    CHECK(quota_of(KINFOLK_QUOTA_USER) == KINFOLK_NO_QUOTA); /* as the largest number that it may be */
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, INT64_MAX - 1));
    EQUAL(quota_of(KINFOLK_QUOTA_USER), INT64_MAX - 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, (uint64_t)INT64_MAX + 1));
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, KINFOLK_NO_QUOTA));
    CHECK(quota_of(KINFOLK_QUOTA_USER) == KINFOLK_NO_QUOTA);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_quota(notes, (kinfolk_quota)5, &bytes));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_container_set_quota(notes, (kinfolk_quota)5, 1));
    EQUAL(bytes, 77);
    end();
}

static void an_upload_that_exceeds_a_quota_ends(void) {
    uint8_t *content = content_of(1500000, 1);
    kinfolk_asset *asset;
    begin_with_types();
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, 1000000));
    asset = new_asset(private_of_ada);
    FAILS(KINFOLK_QUOTA_EXCEEDED, kinfolk_asset_write(asset, content, 1500000));
    FAILS(KINFOLK_ASSET_NOT_AVAILABLE, kinfolk_asset_finish(asset));
    kinfolk_asset_free(asset);
    EQUAL(private_bytes(), 0);
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_ASSET, 3));
    asset = new_asset(private_of_ada);
    OK(write_text(asset, "text"));
    FAILS(KINFOLK_LIMIT_EXCEEDED, kinfolk_asset_finish(asset));
    kinfolk_asset_free(asset);
    free(content);
    end();
}

static void storage_use_is_counted_for_an_account(void) {
    kinfolk_session *nobodys = NULL;
    kinfolk_asset *own, *shared;
    uint64_t bytes = 77, quota = 77, public_bytes = 77, public_quota = 77;
    begin_with_types();
    OK(kinfolk_session_storage_use(adas, &bytes, &quota, &public_bytes, &public_quota));
    EQUAL(bytes, 0);
    EQUAL(public_bytes, 0);
    CHECK(quota == KINFOLK_NO_QUOTA && public_quota == KINFOLK_NO_QUOTA);
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_USER, 2000000));
    OK(kinfolk_container_set_quota(notes, KINFOLK_QUOTA_CREATOR, 500000));
    own = asset_of_size(private_of_ada, 1200000);
    shared = asset_of_size(by_ada, 400000);
    OK(kinfolk_session_storage_use(adas, &bytes, &quota, &public_bytes, &public_quota));
    CHECK(bytes > 1200000 && bytes < 2000000);
    EQUAL(quota, 2000000);
    CHECK(public_bytes > 400000 && public_bytes < 500000);
    EQUAL(public_quota, 500000);
    OK(kinfolk_session_storage_use(adas, NULL, NULL, NULL, NULL));
    OK(kinfolk_session_open_anonymous(notes, &nobodys));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_storage_use(nobodys, &bytes, NULL, NULL, NULL));
    kinfolk_session_free(nobodys);
    kinfolk_asset_free(own);
    kinfolk_asset_free(shared);
    end();
}

static void statistics_have_the_bytes_and_the_assets(void) {
    kinfolk_statistics *statistics = NULL;
    kinfolk_asset *asset, *other;
    begin_with_types();
    asset = asset_of_size(private_of_ada, 300000);
    save_with(private_of_ada, "one", asset);
    save_with(private_of_ada, "two", asset);
    other = asset_of_size(by_grace, 10);
    save_with(by_grace, "three", other);
    OK(kinfolk_container_statistics(notes, &statistics));
    EQUAL(kinfolk_statistics_assets(statistics), 2);
    EQUAL(kinfolk_statistics_private_bytes(statistics), private_bytes());
    CHECK(kinfolk_statistics_private_bytes(statistics) > 300000);
    CHECK(kinfolk_statistics_public_bytes(statistics) > 10);
    CHECK(kinfolk_statistics_asset_bytes(statistics) > 300010);
    CHECK(kinfolk_statistics_asset_bytes(statistics) <
          kinfolk_statistics_private_bytes(statistics) + kinfolk_statistics_public_bytes(statistics));
    EQUAL(kinfolk_statistics_assets(NULL), 0);
    kinfolk_statistics_free(statistics);
    kinfolk_asset_free(asset);
    kinfolk_asset_free(other);
    end();
}

static void wrong_counts_are_corrected(void) {
    kinfolk_check *check = NULL;
    kinfolk_asset *asset;
    uint64_t before;
    begin_with_types();
    asset = asset_of_size(private_of_ada, 300000);
    save_with(private_of_ada, "note", asset);
    before = private_bytes();
    run_sql(STORE, "UPDATE record_bytes SET bytes = bytes + 1000");
    EQUAL(private_bytes(), before + 1000);
    OK(kinfolk_service_check(service, NULL, NULL, &check));
    CHECK(!kinfolk_check_is_sound(check));
    EQUAL(kinfolk_check_finding_kind(check, 0), KINFOLK_FINDING_MISCOUNTED);
    kinfolk_check_free(check);
    OK(kinfolk_recount_bytes(service));
    EQUAL(private_bytes(), before);
    kinfolk_asset_free(asset);
    end();
}

/* ---- Exports */

struct archive {
    FILE *file;
    size_t pieces, last; /* `last`: the piece that ends the export, or 0 */
    bool uses_service;
};

static bool take_piece(const uint8_t *bytes, size_t length, void *context) {
    struct archive *archive = context;
    archive->pieces++;
    CHECK(bytes != NULL && length > 0 && length <= 2000000);
    if (archive->file != NULL) REQUIRE(fwrite(bytes, 1, length, archive->file) == length);
    if (archive->uses_service) {
        kinfolk_record *note = NULL;
        OK(kinfolk_database_fetch(private_of_ada, "first", NULL, &note));
        OK(kinfolk_database_save(private_of_ada, note, KINFOLK_SAVE_ALL_KEYS));
        kinfolk_record_free(note);
    }
    return archive->pieces != archive->last;
}

static bool has_tar(void) { return system("tar --version >/dev/null 2>&1") == 0; }

/* Runs a command in the test's folder. */
static void run(const char *command) {
    char line[1500];
    snprintf(line, sizeof line, "cd '%s' && %s", harness.folder, command);
    CHECK(system(line) == 0);
}

/* Unpacks the archive, and compares the files of the two assets in it. */
static void check_archive(const char *name, const uint8_t *content, size_t size) {
    char command[300];
    if (!has_tar()) return;
    snprintf(command, sizeof command, "rm -rf unpacked && mkdir unpacked && tar -xf %s -C unpacked", name);
    run(command);
    CHECK(file_exists(file_path("unpacked/export.json")));
    CHECK(file_holds(file_path("unpacked/export.json"), record_id(adas), 33));
    write_file(file_path("content"), content, size);
    run("test $(ls unpacked/assets | wc -l) -eq 2");
    run("for file in unpacked/assets/*; do grep -q \"$(basename \"$file\")\" unpacked/export.json || exit 1; done");
    run("ls unpacked/assets/* | { same=0; while read -r file; do if cmp -s \"$file\" content; then same=$((same + 1)); fi; done;"
        " test $same -eq 1; }");
}

static void export_to(struct archive *archive, const char *name, bool of_account) {
    archive->file = fopen(file_path(name), "wb");
    REQUIRE(archive->file != NULL);
    if (of_account) OK(kinfolk_account_export_archive(ada, take_piece, archive));
    else OK(kinfolk_session_export_archive(adas, take_piece, archive));
    REQUIRE(fclose(archive->file) == 0);
    archive->file = NULL;
}

static void an_archive_has_the_files_of_all_assets(void) {
    enum { SIZE = 2500000 };
    struct archive archive = { NULL, 0, 0, false };
    uint8_t *content = content_of(SIZE, 4);
    kinfolk_session *nobodys = NULL;
    kinfolk_asset *asset;
    begin_with_types();
    asset = asset_with(private_of_ada, content, SIZE);
    save_with(private_of_ada, "first", asset);
    save_with(private_of_ada, "second", asset);
    kinfolk_asset_free(asset);
    asset = asset_with(by_ada, "text", 4);
    save_with(by_ada, "third", asset);
    kinfolk_asset_free(asset);
    export_to(&archive, "account.tar", true);
    check_archive("account.tar", content, SIZE);
    export_to(&archive, "session.tar", false);
    check_archive("session.tar", content, SIZE);
    /* The function may use the service, and what it changes is not in the archive. */
    archive.uses_service = true;
    export_to(&archive, "session.tar", false);
    check_archive("session.tar", content, SIZE);
    /* It may end the export. */
    memset(&archive, 0, sizeof archive);
    archive.last = 2;
    FAILS(KINFOLK_CANCELLED, kinfolk_account_export_archive(ada, take_piece, &archive));
    EQUAL(archive.pieces, 2);
    archive.pieces = 0;
    FAILS(KINFOLK_CANCELLED, kinfolk_session_export_archive(adas, take_piece, &archive));
    EQUAL(archive.pieces, 2);
    archive.pieces = 0;
    OK(kinfolk_session_open_anonymous(notes, &nobodys));
    FAILS(KINFOLK_NOT_AUTHENTICATED, kinfolk_session_export_archive(nobodys, take_piece, &archive));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_session_export_archive(adas, NULL, NULL));
    EQUAL(archive.pieces, 0);
    kinfolk_session_free(nobodys);
    free(content);
    end();
}

BEGIN
    RUN(a_file_is_read_as_it_was_written);
    RUN(the_digest_is_that_of_fips_180_4);
    RUN(bytes_are_read_from_any_offset);
    RUN(lists_of_assets_keep_their_order);
    RUN(one_asset_is_a_value_and_a_field);
    RUN(an_asset_without_a_database_is_not_read);
    RUN(an_asset_needs_no_handle_of_its_database);
    RUN(an_asset_that_is_not_complete_is_refused);
    RUN(a_complete_asset_stays_as_it_is);
    RUN(a_cancelled_or_freed_upload_gives_its_space_back);
    RUN(an_asset_belongs_to_a_zone);
    RUN(files_are_added_and_saved);
    RUN(only_regular_files_are_used);
    RUN(a_file_that_changes_is_refused);
    RUN(progress_ends_an_upload_and_a_saving);
    RUN(threads_read_one_asset_at_the_same_time);
    RUN(a_forked_child_leaves_uploads_to_its_parent);
    RUN(quotas_are_set_and_removed);
    RUN(an_upload_that_exceeds_a_quota_ends);
    RUN(storage_use_is_counted_for_an_account);
    RUN(statistics_have_the_bytes_and_the_assets);
    RUN(wrong_counts_are_corrected);
    RUN(an_archive_has_the_files_of_all_assets);
END
