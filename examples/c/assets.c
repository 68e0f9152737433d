/* Files of records, step by step. The program makes its store, "assets.db", and some files in the folder where it
 * runs. */
#include <kinfolk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(kinfolk_status status) {
    if (status == KINFOLK_OK) return;
    fprintf(stderr, "%s: %s\n", kinfolk_status_name(status), kinfolk_error_message());
    exit(EXIT_FAILURE);
}

static const char recording_type[] = "DEFINE SCHEMA\n"
                                     "RECORD TYPE Recording (\n"
                                     "    title STRING QUERYABLE,\n"
                                     "    sound ASSET,\n"
                                     "    takes LIST<ASSET>\n"
                                     ");\n";

/* ---- 1. A file is uploaded a piece at a time. Then a record names it. */

static kinfolk_asset *upload_waves(const kinfolk_database *database) {
    kinfolk_asset *sea;
    int wave;
    must(kinfolk_asset_new(database, NULL, &sea));
    for (wave = 1; wave <= 100000; wave++) {
        char line[32];
        int length = sprintf(line, "Wave %d\n", wave);
        must(kinfolk_asset_write(sea, (const uint8_t *)line, (size_t)length));
    }
    must(kinfolk_asset_finish(sea));
    return sea;
}

static kinfolk_record *save_sound(const kinfolk_database *database, const char *name, const kinfolk_asset *sound) {
    kinfolk_record *recording;
    must(kinfolk_record_new("Recording", name, NULL, &recording));
    must(kinfolk_record_set_asset(recording, "sound", sound));
    must(kinfolk_database_save(database, recording, KINFOLK_SAVE_IF_UNCHANGED));
    return recording;
}

/* ---- 2. The file is read from any offset, or written to the disk. */

static void read_sound(const kinfolk_database *database) {
    kinfolk_record *recording;
    kinfolk_asset *sound;
    char text[16];
    size_t count;
    must(kinfolk_database_fetch(database, "sea", NULL, &recording));
    must(kinfolk_record_get_asset(recording, "sound", database, &sound));
    must(kinfolk_asset_read(sound, 0, (uint8_t *)text, 6, &count));
    printf("It begins with %.*s\n", (int)count, text);
    must(kinfolk_asset_read(sound, kinfolk_asset_size(sound) - 12, (uint8_t *)text, 11, &count));
    printf("It ends with %.*s\n", (int)count, text);
    must(kinfolk_asset_save_to_file(sound, "sea.txt", NULL, NULL));
    kinfolk_asset_free(sound);
    kinfolk_record_free(recording);
}

static bool note_share(uint64_t done, uint64_t total, void *share) {
    *(int *)share = (int)(done * 100 / total);
    return true; /* continue */
}

/* A file of the disk is uploaded in one call, which reports its progress. */
static kinfolk_asset *upload_file(const kinfolk_database *database, int *share) {
    kinfolk_asset *copy;
    must(kinfolk_asset_new(database, NULL, &copy));
    must(kinfolk_asset_add_file(copy, "sea.txt", note_share, share));
    must(kinfolk_asset_finish(copy));
    return copy;
}

/* ---- 3. A file is deleted with the last record that has it. */

static const char *is_there(const kinfolk_asset *asset) {
    uint8_t byte;
    size_t count;
    kinfolk_status status = kinfolk_asset_read(asset, 0, &byte, 1, &count);
    if (status == KINFOLK_ASSET_NOT_AVAILABLE) return "false";
    must(status);
    return "true";
}

static kinfolk_asset *upload_text(const kinfolk_database *database, const char *text) {
    kinfolk_asset *asset;
    must(kinfolk_asset_new(database, NULL, &asset));
    must(kinfolk_asset_write(asset, (const uint8_t *)text, strlen(text)));
    must(kinfolk_asset_finish(asset));
    return asset;
}

static void share_sound(const kinfolk_database *database, const kinfolk_asset *copy) {
    const kinfolk_asset *takes[2];
    kinfolk_asset *short_one = upload_text(database, "A short one");
    kinfolk_record *other;
    kinfolk_value *list;
    takes[0] = copy;
    takes[1] = short_one;
    must(kinfolk_record_new("Recording", "other", NULL, &other));
    must(kinfolk_value_new_asset_list(takes, 2, &list));
    must(kinfolk_record_set_value(other, "takes", list));
    must(kinfolk_database_save(database, other, KINFOLK_SAVE_IF_UNCHANGED));
    must(kinfolk_database_delete(database, "sea", NULL, NULL, NULL));
    printf("The second file is there: %s\n", is_there(copy));
    must(kinfolk_database_delete(database, "other", NULL, NULL, NULL));
    printf("The second file is there: %s\n", is_there(copy));
    kinfolk_value_free(list);
    kinfolk_record_free(other);
    kinfolk_asset_free(short_one);
}

/* ---- 4. In the public database, others read a file if they may read one of its records. Only its uploader puts it
 * into a record. */

static void publish(const kinfolk_database *ada, const kinfolk_database *grace) {
    kinfolk_asset *shared = upload_text(ada, "For everybody"), *seen;
    kinfolk_record *published, *taken;
    kinfolk_status status;
    must(kinfolk_record_new("Recording", "published", NULL, &published));
    must(kinfolk_record_set_asset(published, "sound", shared));
    must(kinfolk_record_get_asset(published, "sound", grace, &seen)); /* the same asset, read as Grace */
    printf("Grace reads it: %s\n", is_there(seen));
    must(kinfolk_database_save(ada, published, KINFOLK_SAVE_IF_UNCHANGED));
    printf("Grace reads it: %s\n", is_there(seen));
    must(kinfolk_record_new("Recording", "taken", NULL, &taken));
    must(kinfolk_record_set_asset(taken, "sound", seen));
    status = kinfolk_database_save(grace, taken, KINFOLK_SAVE_IF_UNCHANGED);
    if (status == KINFOLK_ASSET_NOT_AVAILABLE) printf("Grace uses it: %s\n", kinfolk_status_name(status));
    kinfolk_record_free(taken);
    kinfolk_record_free(published);
    kinfolk_asset_free(seen);
    kinfolk_asset_free(shared);
}

/* ---- 5. A quota is compared with what a call adds, before anything is written. */

static void limit(const kinfolk_container *container, const kinfolk_session *session,
                  const kinfolk_database *database) {
    kinfolk_asset *large;
    kinfolk_status status;
    uint64_t bytes, quota;
    must(kinfolk_container_set_quota(container, KINFOLK_QUOTA_USER, 1000000));
    must(kinfolk_asset_new(database, NULL, &large));
    status = kinfolk_asset_add_file(large, "sea.txt", NULL, NULL);
    if (status == KINFOLK_OK) status = kinfolk_asset_finish(large);
    if (status == KINFOLK_QUOTA_EXCEEDED) printf("Refused: %s\n", kinfolk_status_name(status));
    kinfolk_asset_free(large);
    must(kinfolk_session_storage_use(session, &bytes, &quota, NULL, NULL));
    printf("Stored: %lu of %lu bytes\n", (unsigned long)bytes, (unsigned long)quota);
}

int main(void) {
    kinfolk_service *service;
    kinfolk_container *container;
    kinfolk_account *ada, *grace;
    kinfolk_session *as_ada, *as_grace;
    kinfolk_database *database, *ada_public, *grace_public;
    kinfolk_record *recording;
    kinfolk_asset *sea, *copy;
    uint8_t digest[KINFOLK_DIGEST_LENGTH], again[KINFOLK_DIGEST_LENGTH];
    int i, share = 0;

    must(kinfolk_service_open("assets.db", NULL, &service));
    must(kinfolk_container_create(service, "com.example.recordings", &container));
    must(kinfolk_schema_apply(container, recording_type, false, NULL));
    must(kinfolk_account_create(service, "Ada", "", &ada));
    must(kinfolk_account_create(service, "Grace", "", &grace));
    must(kinfolk_session_open(container, ada, &as_ada));
    must(kinfolk_session_open(container, grace, &as_grace));
    must(kinfolk_session_database(as_ada, KINFOLK_DATABASE_PRIVATE, &database));
    must(kinfolk_session_database(as_ada, KINFOLK_DATABASE_PUBLIC, &ada_public));
    must(kinfolk_session_database(as_grace, KINFOLK_DATABASE_PUBLIC, &grace_public));

    sea = upload_waves(database);
    recording = save_sound(database, "sea", sea);
    must(kinfolk_asset_sha256(sea, digest));
    printf("Uploaded %lu bytes, SHA-256 ", (unsigned long)kinfolk_asset_size(sea));
    for (i = 0; i < 8; i++) printf("%02x", digest[i]);
    printf("\xe2\x80\xa6\n");
    read_sound(database);
    copy = upload_file(database, &share);
    must(kinfolk_asset_sha256(copy, again));
    printf("Uploaded it again to %d %%, with the same SHA-256: %s\n", share,
           memcmp(digest, again, sizeof digest) == 0 ? "true" : "false");

    must(kinfolk_record_set_asset(recording, "sound", copy)); /* replaces the first file */
    must(kinfolk_database_save(database, recording, KINFOLK_SAVE_IF_UNCHANGED));
    printf("The first file is there: %s\n", is_there(sea));
    share_sound(database, copy);
    publish(ada_public, grace_public);
    limit(container, as_ada, database);

    kinfolk_asset_free(copy); /* handles may be freed in any order */
    kinfolk_asset_free(sea);
    kinfolk_record_free(recording);
    kinfolk_database_free(grace_public);
    kinfolk_database_free(ada_public);
    kinfolk_database_free(database);
    kinfolk_session_free(as_grace);
    kinfolk_session_free(as_ada);
    kinfolk_account_free(grace);
    kinfolk_account_free(ada);
    kinfolk_container_free(container);
    kinfolk_service_free(service);
    return EXIT_SUCCESS;
}
