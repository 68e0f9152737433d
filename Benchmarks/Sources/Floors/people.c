/* people.c: imports people from CSV into an empty store. No cell may have quotation marks. */

#include "address.h"
#include "people.h"

#include <string.h>

typedef struct {
    const char *start;
    size_t length;
} cell;

/* The next cell of a line, up to a comma or the end of the line. */
static cell next_cell(char **rest) {
    size_t length = strcspn(*rest, ",\r\n");
    cell cell = { *rest, length };
    *rest += length;
    if (**rest == ',') ++*rest;
    return cell;
}

static void insert_account(floor_store *store, const uint8_t *account, const uint8_t *name, size_t length) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_ACCOUNT,
                        "INSERT INTO accounts (account_id, sealed_name, revision, digest, mac, created_at)"
                        " VALUES (?1, ?2, 1, ?1, ?1, ?3)"); /* has the length of a digest and a code */
    uint8_t sealed[SEALED_NAME];
    bind_bytes(insert, 1, account, FLOOR_ID);
    bind_bytes(insert, 2, sealed, seal_account_name(&store->keys, account, name, length, sealed));
    sqlite3_bind_int64(insert, 3, NOW);
    store_do(insert);
}

/* The sealed address of the account, and the row that says who owns the address. */
static void insert_email(floor_store *store, const uint8_t *account, const uint8_t *hash, cell spelling) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_EMAIL,
                        "INSERT INTO emails (account_id, tag, number, sealed_address, verified_at, added_at)"
                        " VALUES (?1, ?2, 1, ?3, ?4, ?4)");
    sqlite3_stmt *claim =
        store_statement(store, INSERT_VERIFIED, "INSERT INTO verified_emails (tag, account_id) VALUES (?1, ?2)");
    uint8_t tag[FLOOR_ID], sealed[SEALED_EMAIL];
    make_tag(tag, store->keys.email_tags, hash, FLOOR_HASH);
    bind_bytes(insert, 1, account, FLOOR_ID);
    bind_bytes(insert, 2, tag, sizeof tag);
    bind_bytes(insert, 3, sealed,
               seal_email(&store->keys, account, tag, hash, spelling.start, spelling.length, sealed));
    sqlite3_bind_int64(insert, 4, NOW);
    store_do(insert);
    bind_bytes(claim, 1, tag, sizeof tag);
    bind_bytes(claim, 2, account, FLOOR_ID);
    store_do(claim);
}

/* The account's user in the container, and its consent. */
static void insert_member(floor_store *store, const uint8_t *account, const uint8_t *record, const uint8_t *wording) {
    sqlite3_stmt *insert =
        store_statement(store, INSERT_MEMBER,
                        "INSERT INTO users (account_id, container_id, record_id, mac, created_at)"
                        " VALUES (?1, ?2, ?3, ?1, ?4)");
    sqlite3_stmt *consent =
        store_statement(store, INSERT_CONSENT,
                        "INSERT INTO consents (account_id, container_id, number, decision, wording_id, decided_at, chain)"
                        " VALUES (?1, ?2, 1, 1, ?3, ?4, ?1)");
    bind_bytes(insert, 1, account, FLOOR_ID);
    sqlite3_bind_int64(insert, 2, store->keys.container);
    bind_bytes(insert, 3, record, FLOOR_ID);
    sqlite3_bind_int64(insert, 4, NOW);
    store_do(insert);
    bind_bytes(consent, 1, account, FLOOR_ID);
    sqlite3_bind_int64(consent, 2, store->keys.container);
    bind_bytes(consent, 3, wording, FLOOR_ID);
    sqlite3_bind_int64(consent, 4, NOW);
    store_do(consent);
}

static void import_line(floor_store *store, char *line, const uint8_t *wording) {
    cell given = next_cell(&line), family = next_cell(&line), address = next_cell(&line);
    uint8_t account[FLOOR_ID], record[FLOOR_ID], hash[FLOOR_HASH], tag[FLOOR_ID], name[FLOOR_NAME];
    size_t length;
    REQUIRE(2 + given.length + family.length <= sizeof name);
    REQUIRE(floor_contact_hash(address.start, address.length, hash));
    length = name_bytes(name, given.start, given.length, family.start, family.length);
    randombytes_buf(account, sizeof account);
    randombytes_buf(record, sizeof record);
    insert_account(store, account, name, length);
    insert_email(store, account, hash, address);
    insert_member(store, account, record, wording);
    make_tag(tag, store->keys.directory_tags, hash, sizeof hash);
    insert_directory_row(store, tag, record);
    insert_identity(store, record, account, tag, name, length);
}

struct floor_import {
    floor_store *store;
    FILE *file;
    uint8_t wording[FLOOR_ID];
};

floor_import *floor_import_begin(floor_store *store, const char *path) {
    floor_import *import = malloc(sizeof *import);
    char header[1024];
    REQUIRE(import != NULL);
    import->store = store;
    import->file = fopen(path, "r");
    REQUIRE(import->file != NULL && fgets(header, sizeof header, import->file) != NULL);
    make_tag(import->wording, store->keys.wording_tags, "wording", 7);
    store_run(store, "PRAGMA cache_size = -65536"); /* like the product for an import */
    return import;
}

size_t floor_import_next(floor_import *import) {
    char line[1024];
    size_t count = 0;
    store_do(import->store->begin_write);
    while (count < FLOOR_IMPORT_GROUP && fgets(line, sizeof line, import->file) != NULL) {
        import_line(import->store, line, import->wording);
        count++;
    }
    keep_sequence(import->store);
    store_do(import->store->commit);
    return count;
}

void floor_import_end(floor_import *import) {
    fclose(import->file);
    free(import);
}
