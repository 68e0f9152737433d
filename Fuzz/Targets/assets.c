/*
 * Assets: a file that is written in pieces, of memory or of files of the disk, is read back from any offset, and is saved to a file. Its
 * size and SHA-256 are those of its content. Zones, fields and paths are names from the input.
 */

#include "fields.h"
#include "store.h"

#include <sodium.h>

enum { MOST_CONTENT = 2 << 20, FRESH_AFTER = 64 << 20 };

static kinfolk_session *session;
static kinfolk_database *databases[2];
static uint8_t content[MOST_CONTENT], copy[MOST_CONTENT];
static size_t size, written; /* of the present file; of all files in the store */
static char folder[1200];    /* for files of the disk */

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_container *production = NULL, *container = NULL;
    kinfolk_account *account;
    kinfolk_database_free(databases[0]);
    kinfolk_database_free(databases[1]);
    kinfolk_session_free(session);
    kinfolk_service_free(service);
    service = store_make();
    account = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &production));
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &container));
    OK(kinfolk_session_open(container, account, &session));
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PUBLIC, &databases[KINFOLK_DATABASE_PUBLIC]));
    OK(kinfolk_session_database(session, KINFOLK_DATABASE_PRIVATE, &databases[KINFOLK_DATABASE_PRIVATE]));
    OK(kinfolk_zone_save(databases[KINFOLK_DATABASE_PRIVATE], "Notes"));
    kinfolk_container_free(production);
    kinfolk_container_free(container);
    kinfolk_account_free(account);
    written = 0;
}

static void remove_folder(void) { rmdir(folder); }

/* A path in the target's folder for a name from the input. `is_good` gets whether a file can have it. */
static const char *path_of(const char *name, bool *is_good) {
    static char *path;
    free(path);
    path = malloc(sizeof folder + strlen(name) + 2);
    if (path == NULL) abort();
    sprintf(path, "%s/%s", folder, name);
    *is_good = name[0] != '\0' && strchr(name, '/') == NULL && strlen(name) <= 255 && strcmp(name, ".") != 0 &&
               strcmp(name, "..") != 0;
    return path;
}

/* Adds a piece to the content: bytes of the input, and how often they are repeated. Returns its length. */
static size_t take_piece(input *in) {
    size_t length, times, i;
    const uint8_t *bytes = take_bytes(in, &length);
    times = 1 + take_number(in, 2) % 4096;
    if (length == 0 || size + length * times > MOST_CONTENT) return 0;
    for (i = 0; i < times; i++) memcpy(content + size + i * length, bytes, length);
    size += length * times;
    return length * times;
}

/* Adds a piece through a file with a name from the input. Returns the status of the call. */
static kinfolk_status add_file(kinfolk_asset *asset, input *in, const uint8_t *bytes, size_t length) {
    bool is_good;
    char *name = take_text(in);
    const char *path = path_of(name, &is_good);
    FILE *file = is_good ? fopen(path, "wb") : NULL;
    kinfolk_status status;
    HOLDS(!is_good || file != NULL);
    if (file != NULL) {
        HOLDS(fwrite(bytes, 1, length, file) == length);
        HOLDS(fclose(file) == 0);
    }
    if (strchr(name, '/') == NULL) {
        status = kinfolk_asset_add_file(asset, path, NULL, NULL);
        if (!is_good) FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_ASSET_FILE_NOT_FOUND);
    } else {
        status = KINFOLK_INVALID_ARGUMENT; /* paths stay in the target's folder */
    }
    if (file != NULL) HOLDS(unlink(path) == 0);
    free(name);
    return status;
}

/* Reads from any offset. */
static void check_reading(const kinfolk_asset *asset, uint64_t offset, size_t capacity) {
    size_t count = SIZE_MAX, rest = offset < size ? size - (size_t)offset : 0;
    if (capacity > MOST_CONTENT) capacity = MOST_CONTENT;
    OK(kinfolk_asset_read(asset, offset, copy, capacity, &count));
    HOLDS(count == (rest < capacity ? rest : capacity));
    if (count > 0) HOLDS(memcmp(copy, content + offset, count) == 0);
}

static void check_asset(const kinfolk_asset *asset) {
    uint8_t digest[KINFOLK_DIGEST_LENGTH], wanted[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(wanted, content, size);
    OK(kinfolk_asset_sha256(asset, digest));
    HOLDS(memcmp(digest, wanted, sizeof digest) == 0);
    HOLDS(kinfolk_asset_size(asset) == size);
    check_reading(asset, 0, MOST_CONTENT);
}

static void check_saving(const kinfolk_asset *asset, const char *name) {
    bool is_good;
    const char *path = path_of(name, &is_good);
    kinfolk_status status;
    FILE *file;
    if (strchr(name, '/') != NULL) return;
    status = kinfolk_asset_save_to_file(asset, path, NULL, NULL);
    if (!is_good) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_ASSET_FILE_NOT_FOUND);
        return;
    }
    HOLDS(status == KINFOLK_OK);
    file = fopen(path, "rb");
    HOLDS(file != NULL && fread(copy, 1, MOST_CONTENT, file) == size && memcmp(copy, content, size) == 0);
    fclose(file);
    HOLDS(unlink(path) == 0);
}

/* The asset in a field with a name from the input, and in the field of a saved record. */
static void check_record(const kinfolk_asset *asset, const kinfolk_database *database, const char *zone,
                         const char *name) {
    kinfolk_record *record = NULL, *seen = NULL;
    kinfolk_asset *found = NULL;
    kinfolk_status status;
    size_t count;
    OK(kinfolk_record_new("Note", "note", zone, &record));
    status = kinfolk_record_set_asset(record, name, asset);
    HOLDS((status == KINFOLK_OK) == is_name(name));
    status = kinfolk_record_get_asset(record, name, database, &found);
    HOLDS((status == KINFOLK_OK) == is_name(name) && (found != NULL) == is_name(name));
    if (found != NULL) {
        check_asset(found);
        kinfolk_asset_free(found);
        OK(kinfolk_record_remove(record, name));
    }
    OK(kinfolk_record_set_asset(record, "file", asset));
    OK(kinfolk_database_save(database, record, KINFOLK_SAVE_ALL_KEYS));
    OK(kinfolk_database_fetch(database, "note", zone, &seen));
    OK(kinfolk_record_get_asset(seen, "file", database, &found));
    check_asset(found);
    OK(kinfolk_database_delete(database, "note", zone, NULL, NULL));
    HOLDS(kinfolk_asset_read(found, 0, copy, 1, &count) == KINFOLK_ASSET_NOT_AVAILABLE);
    kinfolk_asset_free(found);
    kinfolk_record_free(seen);
    kinfolk_record_free(record);
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    HOLDS(sodium_init() >= 0);
    begin();
    snprintf(folder, sizeof folder, "%s/files", store_folder);
    HOLDS(mkdir(folder, 0700) == 0);
    atexit(remove_folder);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
    input in = { data, length };
    uint8_t choice = take_byte(&in);
    bool is_private = choice & 1, is_default, is_there, has_ended = false;
    kinfolk_database *database;
    kinfolk_asset *asset = NULL;
    kinfolk_status status;
    char *zone = choice & 2 ? take_text(&in) : choice & 4 ? strdup("Notes") : NULL, *name;
    if (written > FRESH_AFTER) begin();
    database = databases[is_private ? KINFOLK_DATABASE_PRIVATE : KINFOLK_DATABASE_PUBLIC];
    is_default = zone == NULL || strcmp(zone, "_defaultZone") == 0;
    is_there = is_default || (is_private && strcmp(zone, "Notes") == 0);
    size = 0;
    status = kinfolk_asset_new(database, zone, &asset);
    if (!is_default && (!is_private || zone[0] == '_' || !is_record_name(zone))) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
        free(zone);
        return 0;
    }
    HOLDS(status == KINFOLK_OK);
    while (in.left > 0 && !has_ended) {
        uint8_t step = take_byte(&in);
        size_t before = size, piece;
        if (step % 4 == 0) break;
        piece = take_piece(&in);
        status = step % 4 == 1 ? add_file(asset, &in, content + before, piece)
                               : kinfolk_asset_write(asset, content + before, piece);
        if (status == KINFOLK_OK) {
            HOLDS(kinfolk_asset_size(asset) == size);
        } else {
            HOLDS(step % 4 == 1 || (status == KINFOLK_ZONE_NOT_FOUND && !is_there));
            HOLDS(is_one_line(kinfolk_error_message()));
            has_ended = step % 4 != 1 || kinfolk_asset_write(asset, NULL, 0) != KINFOLK_OK;
            if (!has_ended) size = before; /* the target did not make the call */
        }
    }
    if (choice & 8) OK(kinfolk_asset_cancel(asset));
    status = kinfolk_asset_finish(asset);
    if (has_ended || choice & 8) {
        HOLDS(status == KINFOLK_ASSET_NOT_AVAILABLE);
    } else if (!is_there) {
        HOLDS(status == KINFOLK_ZONE_NOT_FOUND);
    } else {
        HOLDS(status == KINFOLK_OK);
        written += size + 4096;
        check_asset(asset);
        while (in.left > 16) {
            uint64_t offset = take_byte(&in) & 1 ? take_number(&in, 8) : take_number(&in, 3);
            check_reading(asset, offset, (size_t)take_number(&in, 3));
        }
        name = take_rest(&in);
        check_saving(asset, name);
        check_record(asset, database, zone, name);
        free(name);
    }
    kinfolk_asset_free(asset);
    free(zone);
    return 0;
}
