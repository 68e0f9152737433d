/*
 * hostile.h: for the generated program (see generate-abuse): the invalid arguments that it passes to every function, the checks of
 * the results, and the people of its calls. Include it after harness.h and people.h.
 */

#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <float.h>
#include <limits.h>
#include <math.h>

/* It is part of every passed text that names a person. No message may contain it. */
#define MARK "zqmark"
#define EMAIL "ada." MARK "@example.com"
#define UNVERIFIED "countess." MARK "@example.com"
#define SCHEMA "DEFINE SCHEMA\nRECORD TYPE Page (text STRING QUERYABLE);\n"

/* ---- Values */

/* Texts that are not UTF-8. Every text parameter must refuse them, and every path must accept them. */
static const char *const not_utf_8[] = {
    "\x80", MARK "\xbf",                     /* a continuation byte without a start */
    "\xc0\xaf", "\xe0\x80\xaf", "\xf0\x80\x80\xaf", MARK "\xc1\x81", /* overlong */
    "\xed\xa0\x80", "\xed\xbf\xbf", "\xed\xa0\xbd\xed\xb8\x80", /* surrogates, alone and as a pair */
    MARK "\xc3", MARK "\xe2\x82", "\xf0\x9f\x98", "\xe2\x82" MARK "@example.com", /* cut short */
    "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", /* above U+10FFFF */
    "\xff", "\xfe\xff", MARK "\xff@example.com"
};
enum { NOT_UTF_8 = sizeof not_utf_8 / sizeof not_utf_8[0] };

/* Unusual but valid texts. A function may accept or refuse them, but must return. */
enum { ODD_TEXTS = 31, LONG_TEXTS = 6 /* the last ones */ };
static const char *odd_texts[ODD_TEXTS];

static char *long_text(const char *unit, size_t length, const char *end) {
    size_t size = strlen(unit), at;
    char *text = malloc(length + strlen(end) + 1);
    if (text == NULL) abort();
    for (at = 0; at < length; at++) text[at] = unit[at % size];
    strcpy(text + length, end);
    return text;
}

static void make_odd_texts(void) {
    static char controls[32];
    size_t n = 0;
    int i;
    for (i = 1; i < 32; i++) controls[i - 1] = (char)i;
    odd_texts[n++] = "";
    odd_texts[n++] = " ";
    odd_texts[n++] = controls;
    odd_texts[n++] = "\x7f";
    odd_texts[n++] = MARK "\r\nInjected: " MARK;
    odd_texts[n++] = MARK "\x1b[31m";
    odd_texts[n++] = "%s%n%x%d";
    odd_texts[n++] = "'; DROP TABLE accounts; --";
    odd_texts[n++] = "../" MARK;
    odd_texts[n++] = "/";
    odd_texts[n++] = ".";
    odd_texts[n++] = ":memory:";
    odd_texts[n++] = "file:" MARK "?mode=memory&cache=shared";
    odd_texts[n++] = "\xef\xbb\xbf" EMAIL;                /* a byte-order mark */
    odd_texts[n++] = "\xe2\x80\xae" MARK "\xe2\x80\xac";  /* right to left */
    odd_texts[n++] = "\xef\xbf\xbe\xef\xbf\xbf";          /* not characters */
    odd_texts[n++] = "\xf4\x8f\xbf\xbf";                  /* the last code point */
    odd_texts[n++] = "e\xcc\x81\xcc\x81\xcc\x81" MARK;    /* marks on marks */
    odd_texts[n++] = "_0123456789ABCDEF0123456789ABCDEF";
    odd_texts[n++] = "_0123456789abcdef0123456789abcdeg";
    odd_texts[n++] = NOBODY "0";
    odd_texts[n++] = "00000000000000000000000000000000";
    odd_texts[n++] = "@";
    odd_texts[n++] = MARK "@@example.com";
    odd_texts[n++] = "com.example." MARK;
    odd_texts[n++] = long_text("a", 255, "");
    odd_texts[n++] = long_text("a", 1025, "");
    odd_texts[n++] = long_text(MARK, 1 << 20, "@example.com");
    odd_texts[n++] = long_text("\xf0\x9f\x98\x80", 1 << 20, "");
    odd_texts[n++] = long_text("x.", 10 << 20, "");
    odd_texts[n++] = long_text("\n", 10 << 20, "");
    if (n != ODD_TEXTS) abort();
}

/* Larger than any memory: must be refused before anything is read. */
static const size_t impossible_lengths[] = {
    (size_t)INT32_MAX + 1, SIZE_MAX / 8 + 1, SIZE_MAX / 8 + 2, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX
};
enum { IMPOSSIBLE_LENGTHS = sizeof impossible_lengths / sizeof impossible_lengths[0] };

/* An index past the end of every list. */
static const size_t far_indices[] = { 1000001, (size_t)INT32_MAX + 1, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX };
enum { FAR_INDICES = sizeof far_indices / sizeof far_indices[0] };

/* Not a value of any enumeration. */
static const int no_enumerators[] = { -1, INT_MIN, INT_MAX, 99, 256, 65536 };
enum { NO_ENUMERATORS = sizeof no_enumerators / sizeof no_enumerators[0] };

static const int64_t odd_int64_t[] = { INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX };
static const uint64_t odd_uint64_t[] = { 0, 1, INT64_MAX, UINT64_MAX - 1, UINT64_MAX };
static const size_t odd_size_t[] = { 0, 1, SIZE_MAX / 2, SIZE_MAX / 2 + 1, SIZE_MAX - 1, SIZE_MAX };
static const int32_t odd_int32_t[] = { INT32_MIN, -1, 0, 1, INT32_MAX };
static const uint32_t odd_uint32_t[] = { 0, 1, 2, INT32_MAX, (uint32_t)INT32_MAX + 1, UINT32_MAX };
static const bool odd_bool[] = { false, true };
static double odd_double[] = {
    0.0, -0.0, 1.0, -1.0, DBL_MAX, -DBL_MAX, DBL_MIN, 4.9e-324, -4.9e-324, 1e-310, 90.0, 180.0000001, 9.3e18,
    HUGE_VAL, -HUGE_VAL, /* and NaN: */ 0.0, 0.0
};
#define COUNT(values) (sizeof values / sizeof values[0])

/* Values for array parameters: two of each type. */
static const char *two_texts[] = { "one", "two" };
static const char *two_record_ids[] = { NOBODY, NOBODY };
static const char *two_zones[] = { "_defaultZone", "_defaultZone" };
static kinfolk_reference_action two_kinfolk_reference_action[] = { KINFOLK_REFERENCE_NONE, KINFOLK_REFERENCE_NONE };
static const uint8_t *two_byte_strings[] = { (const uint8_t *)"ab", (const uint8_t *)"cd" };
static size_t two_size_t[] = { 2, 1 };
static int64_t two_int64_t[] = { 1, 2 };
static double two_double[] = { 1.5, 2.5 };
static bool two_bool[] = { true, false };
static const uint8_t some_bytes[KINFOLK_CONTACT_HASH_LENGTH] = { 1, 2, 3 };
enum { SPACE = 64 }; /* of a buffer that a call fills */

/* The generator of ristretto255 (RFC 9496): a public key that no container has. */
static const uint8_t some_public_key[KINFOLK_PUBLIC_KEY_LENGTH] = {
    0xe2, 0xf2, 0xae, 0x0a, 0x6a, 0xbc, 0x4e, 0x71, 0xa8, 0x84, 0xa9, 0x61, 0xc5, 0x00, 0x51, 0x5f,
    0x58, 0xe3, 0x0b, 0x6a, 0xa5, 0x82, 0xdd, 0x8d, 0xb6, 0xa6, 0x59, 0x45, 0xe0, 0x8d, 0x2d, 0x76
};

/* The first request of a client of private discovery. */
static const uint8_t description_request[] = { 'K', 'F', 2, 1, 0, 0, 0, 0 };

/* ---- Checks */

typedef enum demand {
    SUCCEEDS,
    IS_REFUSED,      /* with KINFOLK_INVALID_ARGUMENT */
    HAS_NO_SUCH,     /* with KINFOLK_UNKNOWN_ITEM, or refused */
    IS_TOO_LONG,     /* with KINFOLK_LIMIT_EXCEEDED, or refused */
    ANSWERS,         /* with any status, except those for a fault of the library or the store */
    ANSWERS_OF_A_FILE, /* the same, or that the file is no store */
    ANSWERS_WHEN_CLOSED /* the same, or that the service is closed */
} demand;

/* Outputs are filled with this before a call. A failed call must not change it. */
enum { UNTOUCHED = 0xa5 };

static bool untouched(const void *output, size_t size) {
    const unsigned char *bytes = output;
    size_t i;
    for (i = 0; i < size; i++)
        if (bytes[i] != UNTOUCHED) return false;
    return true;
}

static kinfolk_contacts *empty_book;

/* Makes another function fail, so that its message can be distinguished from a new one. */
static void fail_before(const char *function) {
    kinfolk_contacts *book = empty_book;
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    if (strcmp(function, "kinfolk_contacts_add_hash") == 0)
        (void)kinfolk_contacts_get_hash(book, 0, hash);
    else
        (void)kinfolk_contacts_add_hash(book, some_bytes, 3, NULL);
}

static bool may_quote; /* whether the message of the present call may hold a word of its input */

/* A text that says what is wrong with the message of a failure, or NULL. */
static const char *wrong_with(const char *message, const char *before) {
    const char *at;
    if (message[0] == '\0') return "fails without a message";
    if (strcmp(message, before) == 0) return "leaves the message of another failure";
    for (at = message; *at != '\0'; at++)
        if ((unsigned char)*at < 32 || *at == 127) return "has a control character in its message";
    if ((strstr(message, MARK) != NULL && !may_quote) || strstr(message, "Lovelace") != NULL) return "has its input in its message";
    return NULL;
}

static bool is_wanted(demand wanted, kinfolk_status got) {
    switch (wanted) {
    case SUCCEEDS: return got == KINFOLK_OK;
    case IS_REFUSED: return got == KINFOLK_INVALID_ARGUMENT;
    case HAS_NO_SUCH: return got == KINFOLK_UNKNOWN_ITEM || got == KINFOLK_INVALID_ARGUMENT;
    case IS_TOO_LONG: return got == KINFOLK_LIMIT_EXCEEDED || got == KINFOLK_INVALID_ARGUMENT;
    default:
        if (got == KINFOLK_STORE_CORRUPT) return wanted == ANSWERS_OF_A_FILE;
        if (got >= KINFOLK_BATCH_REQUEST_FAILED && got <= KINFOLK_ASSET_FILE_MODIFIED) return true;
        if (got == KINFOLK_SERVICE_UNAVAILABLE) return wanted == ANSWERS_WHEN_CLOSED;
        return (int)got >= KINFOLK_OK && (int)got < KINFOLK_INTERNAL_ERROR;
    }
}

/* Checks one call. `what` and `number` describe its invalid argument; `before` is the message of the previous failure. */
static void judge(const char *what, size_t number, demand wanted, kinfolk_status got, const char *before,
                  bool outputs_untouched) {
    static const char *const demands[] = { "success", "invalidArgument", "unknownItem", "limitExceeded", "an answer",
                                          "an answer", "an answer" };
    const char *wrong = got == KINFOLK_OK ? NULL : wrong_with(kinfolk_error_message(), before);
    char call[300], why[1200];
    snprintf(call, sizeof call, "%s, number %lu", what, (unsigned long)number);
    if (!is_wanted(wanted, got)) {
        snprintf(why, sizeof why, "%s (%s), not %s", kinfolk_status_name(got),
                 got == KINFOLK_OK ? "" : kinfolk_error_message(), demands[wanted]);
        harness_fault("generated", 0, call, why);
    }
    if (wrong != NULL) harness_fault("generated", 0, call, wrong);
    if (got != KINFOLK_OK && !outputs_untouched) harness_fault("generated", 0, call, "fails, and changed an output");
}

static void hostile_begin(void) {
    if (kinfolk_contacts_new(&empty_book) != KINFOLK_OK) abort();
    make_odd_texts();
    odd_double[COUNT(odd_double) - 2] = NAN;
    odd_double[COUNT(odd_double) - 1] = -NAN;
}

/* A list with two elements of a type, which is named in the plural; the same one at each call. */
enum { LIST_TYPES = 8 };
static kinfolk_value *lists[LIST_TYPES];
static const kinfolk_value *a_list_of(const char *elements) {
    static const char *const types[LIST_TYPES] = { "strings", "int64s", "doubles", "booleans", "bytes", "dates", "locations",
                                                   "references" };
    size_t i;
    if (lists[0] == NULL) {
        OK(kinfolk_value_new_string_list(two_texts, NULL, 2, &lists[0]));
        OK(kinfolk_value_new_int64_list(two_int64_t, 2, &lists[1]));
        OK(kinfolk_value_new_double_list(two_double, 2, &lists[2]));
        OK(kinfolk_value_new_boolean_list(two_bool, 2, &lists[3]));
        OK(kinfolk_value_new_bytes_list(two_byte_strings, two_size_t, 2, &lists[4]));
        OK(kinfolk_value_new_date_list(two_int64_t, 2, &lists[5]));
        OK(kinfolk_value_new_location_list(two_double, two_double, 2, &lists[6]));
        OK(kinfolk_value_new_reference_list(two_record_ids, NULL, NULL, 2, &lists[7]));
    }
    for (i = 0; i < LIST_TYPES; i++)
        if (strcmp(elements, types[i]) == 0) return lists[i];
    abort();
}

static kinfolk_value *asset_value; /* see a_value_of */
static kinfolk_record *note;       /* see a_note */
static struct {
    uint8_t bytes[256];
    size_t length; /* 0: there is none of this store */
} zone_token, database_token, document_token;
static struct {
    uint8_t bytes[256];
    size_t length;
} query_cursor;

static kinfolk_query *unsorted_query;
static kinfolk_value *dictionary;  /* see a_dictionary */

static void hostile_end(void) {
    size_t i;
    kinfolk_value_free(dictionary);
    for (i = 0; i < LIST_TYPES; i++) kinfolk_value_free(lists[i]);
    for (i = ODD_TEXTS - LONG_TEXTS; i < ODD_TEXTS; i++) free((void *)odd_texts[i]);
    kinfolk_contacts_free(empty_book);
    kinfolk_value_free(asset_value);
    kinfolk_record_free(note);
    kinfolk_query_free(unsorted_query);
}

/* Reads a borrowed text to its end. */
static size_t read_text(const char *text) {
    return text == NULL ? 0 : strlen(text);
}

static size_t read_bytes(const uint8_t *bytes, size_t length) {
    size_t sum = 0, i;
    for (i = 0; bytes != NULL && i < length; i++) sum += bytes[i];
    return sum;
}

/* ---- People */

static char code_mailed[16], sign_in_mailed[16], refusal_mailed[16];

/* The store of the calls. Ada has one verified address and one that is not verified, and has used the container. A test may open
 * this store any number of times. */
static void furnish_store(void) {
    kinfolk_service *service;
    kinfolk_container *container, *development = NULL;
    kinfolk_account *ada, *claimant;
    kinfolk_session *session, *grace;
    store_remove();
    code_mailed[0] = sign_in_mailed[0] = refusal_mailed[0] = '\0';
    zone_token.length = database_token.length = document_token.length = 0;
    REQUIRE(chdir(harness.folder) == 0); /* an odd path is a file in there */
    service = open_store();
    container = make_container(service, NOTES);
    OK(kinfolk_container_open_environment(service, NOTES, KINFOLK_ENVIRONMENT_DEVELOPMENT, &development));
    kinfolk_container_free(development); /* it can be deployed */
    OK(kinfolk_schema_add_field(container, "Note", "number", KINFOLK_INT64, KINFOLK_INDEX_STANDARD));
    OK(kinfolk_schema_apply(container, "DEFINE SCHEMA\nCREATE ROLE Editor;\n", false, NULL));
    OK(kinfolk_container_set_directory_modes(container, KINFOLK_DIRECTORY_HASHED | KINFOLK_DIRECTORY_PRIVATE, NULL,
                                             NULL));
    ada = make_person(service, "Ada", "Lovelace", EMAIL);
    session = sign_in(container, ada);
    OK(kinfolk_account_add_email(ada, UNVERIFIED, false, NULL));
    claimant = make_person(service, "Charles", "Lovelace", NULL);
    OK(kinfolk_account_add_email(claimant, EMAIL, true, NULL)); /* which is Ada's */
    kinfolk_account_free(claimant);
    grace = make_findable(service, container, "Grace", "Lovelace", "grace." MARK "@example.com");
    kinfolk_session_free(grace);
    kinfolk_session_free(session);
    kinfolk_account_free(ada);
    kinfolk_container_free(container);
    kinfolk_service_free(service);
}

/* A complete asset with some content. */
static void furnish_asset(kinfolk_asset *asset) {
    OK(kinfolk_asset_write(asset, some_bytes, 3));
    OK(kinfolk_asset_finish(asset));
}

/* The handle, if its file can be written; otherwise, a new one in its place. */
static kinfolk_asset *an_upload(kinfolk_asset **asset, const kinfolk_database *database) {
    if (kinfolk_asset_write(*asset, NULL, 0) != KINFOLK_OK) {
        kinfolk_asset_free(*asset);
        *asset = NULL;
        OK(kinfolk_asset_new(database, NULL, asset));
    }
    return *asset;
}

/* The same for a file that becomes the contents of a document. */
HARNESS_UNUSED static kinfolk_asset *an_upload_of(kinfolk_asset **asset, const kinfolk_session *session) {
    kinfolk_asset_free(*asset);
    *asset = NULL;
    OK(kinfolk_document_upload(session, asset));
    return *asset;
}

/* A new document in the place of the handle's, which may have been deleted; and a path that no document has. */
static kinfolk_document *a_document(kinfolk_document **document, const kinfolk_session *session) {
    static char path[32];
    static int count;
    kinfolk_document_free(*document);
    *document = NULL;
    snprintf(path, sizeof path, "document %d", count++);
    OK(kinfolk_document_create(session, path, some_bytes, 3, document));
    return *document;
}

static const char *a_new_path(void) {
    static char path[32];
    static int count;
    snprintf(path, sizeof path, "folder/new %d.txt", count++);
    return path;
}

/* A document of the scene. */
static kinfolk_status keep_document(const kinfolk_session *session, kinfolk_document **kept) {
    return kinfolk_document_create(session, a_new_path(), some_bytes, 3, kept);
}

/* Whether a path leads to a folder that the test has not made. */
static bool is_of_others(const char *path) {
    return strcmp(path, "/") == 0 || strcmp(path, ".") == 0 || strncmp(path, "../", 3) == 0;
}

/* An empty folder of the disk. */
static const char *a_folder(void) {
    const char *path = file_path("imported");
    if (mkdir(path, 0700) != 0 && errno != EEXIST) abort();
    return path;
}

/* Lists with one document at least. */
static kinfolk_status keep_document_list(const kinfolk_session *session, kinfolk_document_list **list) {
    kinfolk_document *document = NULL;
    OK(keep_document(session, &document));
    kinfolk_document_free(document);
    return kinfolk_document_search(session, NULL, NULL, NULL, 0, INT64_MIN, INT64_MAX, list);
}

static kinfolk_status keep_document_changes(const kinfolk_session *session, kinfolk_document_changes **changes) {
    kinfolk_document *document = NULL;
    OK(keep_document(session, &document));
    kinfolk_document_free(document);
    return kinfolk_document_changes_fetch(session, NULL, 0, changes);
}

/* A dictionary with two values. */
static kinfolk_value *a_dictionary(void) {
    static const kinfolk_value *values[2];
    if (dictionary == NULL) {
        values[0] = values[1] = a_list_of("strings");
        OK(kinfolk_value_new_dictionary(two_texts, NULL, values, 2, &dictionary));
    }
    return dictionary;
}

/* The same value twice. */
static const kinfolk_value *const *two_values_of(const kinfolk_value *value) {
    static const kinfolk_value *values[2];
    values[0] = values[1] = value;
    return values;
}

/* A token of the documents. */
static const uint8_t *token_of_documents(const kinfolk_session *session) {
    if (document_token.length == 0) {
        kinfolk_document_changes *changes = NULL;
        const uint8_t *token = NULL;
        OK(kinfolk_document_changes_fetch(session, NULL, 0, &changes));
        OK(kinfolk_document_changes_token(changes, &token, &document_token.length));
        memcpy(document_token.bytes, token, document_token.length);
        kinfolk_document_changes_free(changes);
    }
    return document_token.bytes;
}

/* A key-value store with a key, and changes of others. */
static kinfolk_status keep_keyvalue(const kinfolk_session *session, kinfolk_keyvalue **store) {
    kinfolk_value *value = NULL;
    kinfolk_status status;
    OK(kinfolk_session_keyvalue(session, store));
    OK(kinfolk_value_new_int64(1, &value));
    status = kinfolk_keyvalue_set(*store, "theme", value);
    kinfolk_value_free(value);
    return status;
}

/* Changes that a session without a name gets: the keys of others. */
static kinfolk_status keep_keyvalue_changes(const kinfolk_container *container, const kinfolk_account *account,
                                            kinfolk_keyvalue_changes **changes) {
    kinfolk_status status;
    kinfolk_session *other = NULL;
    kinfolk_keyvalue *store = NULL;
    kinfolk_session *session = NULL;
    OK(kinfolk_session_open(container, account, &session));
    OK(kinfolk_session_open(container, account, &other));
    OK(keep_keyvalue(other, &store));
    kinfolk_keyvalue_free(store);
    OK(kinfolk_session_keyvalue(session, &store));
    status = kinfolk_keyvalue_synchronize(store, changes);
    kinfolk_keyvalue_free(store);
    kinfolk_session_free(other);
    kinfolk_session_free(session);
    return status;
}

/* The same asset twice. */
static const kinfolk_asset *const *two_of(const kinfolk_asset *asset) {
    static const kinfolk_asset *assets[2];
    assets[0] = assets[1] = asset;
    return assets;
}

/* The value of a complete asset; the same one at each call. */
static const kinfolk_value *a_value_of(const kinfolk_asset *asset) {
    if (asset_value == NULL) OK(kinfolk_value_new_asset(asset, &asset_value));
    return asset_value;
}

/* One field of each type. */
static void furnish_record(const kinfolk_session *session, kinfolk_record *record) {
    kinfolk_database *database = NULL;
    kinfolk_asset *asset = NULL;
    OK(kinfolk_session_database(session, kinfolk_record_database(record), &database));
    OK(kinfolk_asset_new(database, NULL, &asset));
    furnish_asset(asset);
    OK(kinfolk_record_set_asset(record, "f_asset", asset));
    kinfolk_asset_free(asset);
    kinfolk_database_free(database);
    OK(kinfolk_record_set_string(record, "f_string", "text"));
    OK(kinfolk_record_set_int64(record, "f_int64", 1));
    OK(kinfolk_record_set_double(record, "f_double", 1));
    OK(kinfolk_record_set_boolean(record, "f_boolean", true));
    OK(kinfolk_record_set_bytes(record, "f_bytes", some_bytes, 3));
    OK(kinfolk_record_set_date(record, "f_date", 1));
    OK(kinfolk_record_set_location(record, "f_location", 1, 1));
    OK(kinfolk_record_set_reference(record, "f_reference", NOBODY, NULL, KINFOLK_REFERENCE_NONE));
    OK(kinfolk_record_save(session, record, KINFOLK_SAVE_ALL_KEYS));
}

/* The names of two records that exist: twice that of the own user record. */
static const char *const *own_names(const kinfolk_session *session) {
    static char name[64];
    static const char *names[2];
    snprintf(name, sizeof name, "%s", record_id(session));
    names[0] = names[1] = name;
    return names;
}

/* A record that is there to be deleted: it is saved again if it is not there. */
static kinfolk_record *a_note(const kinfolk_database *database) {
    kinfolk_record *seen = NULL;
    if (note != NULL && kinfolk_database_fetch(database, "note", NULL, &seen) == KINFOLK_OK) {
        bool is_same = strcmp(kinfolk_record_change_tag(seen), kinfolk_record_change_tag(note)) == 0;
        kinfolk_record_free(seen);
        if (is_same) return note;
    }
    kinfolk_record_free(note);
    note = NULL;
    OK(kinfolk_record_new("Note", "note", NULL, &note));
    OK(kinfolk_database_save(database, note, KINFOLK_SAVE_ALL_KEYS));
    return note;
}

/* A zone of a private database. */
static const char *a_zone(const kinfolk_database *database) {
    OK(kinfolk_zone_save(database, "Zone"));
    return "Zone";
}

static size_t token_of(const kinfolk_changes *changes, uint8_t bytes[256]) {
    const uint8_t *token = NULL;
    size_t length = 0;
    OK(kinfolk_changes_token(changes, &token, &length));
    REQUIRE(length >= 1 && length <= 256);
    memcpy(bytes, token, length);
    return length;
}

/* Tokens of the zone and its database, if there are none of this store. After them, there is one change. */
static void make_tokens(const kinfolk_database *database) {
    kinfolk_changes *changes = NULL;
    kinfolk_record *changed = NULL;
    const char *zone = a_zone(database);
    if (zone_token.length != 0) return;
    OK(kinfolk_zone_changes(database, zone, NULL, 0, 0, &changes));
    zone_token.length = token_of(changes, zone_token.bytes);
    kinfolk_changes_free(changes);
    OK(kinfolk_database_changes(database, NULL, 0, &changes));
    database_token.length = token_of(changes, database_token.bytes);
    kinfolk_changes_free(changes);
    OK(kinfolk_record_new("Note", "changed", zone, &changed));
    OK(kinfolk_database_save(database, changed, KINFOLK_SAVE_IF_UNCHANGED));
    kinfolk_record_free(changed);
}

static const uint8_t *token_of_zone(const kinfolk_database *database) {
    make_tokens(database);
    return zone_token.bytes;
}

static const uint8_t *token_of_database(const kinfolk_database *database) {
    make_tokens(database);
    return database_token.bytes;
}

/* A saved record and a deletion of nothing, with results. */
static void furnish_batch(const kinfolk_database *database, kinfolk_batch *batch) {
    kinfolk_record *record = NULL;
    OK(kinfolk_record_new("Note", "batched", NULL, &record));
    OK(kinfolk_batch_save(batch, KINFOLK_OPERATION_FORCE_UPDATE, record));
    OK(kinfolk_batch_delete(batch, KINFOLK_OPERATION_FORCE_DELETE, "nothing", NULL, NULL));
    OK(kinfolk_batch_run(batch, database, true, NULL));
    kinfolk_record_free(record);
}

/* Two notes in the zone of the query, which has one of them on each page. */
static void furnish_query(const kinfolk_database *database, kinfolk_query *query) {
    static const char *const names[] = { "first", "second" };
    size_t i;
    for (i = 0; i < 2; i++) {
        kinfolk_record *found = NULL;
        OK(kinfolk_record_new("Note", names[i], NULL, &found));
        OK(kinfolk_record_set_int64(found, "number", (int64_t)i));
        OK(kinfolk_database_save(database, found, KINFOLK_SAVE_ALL_KEYS));
        kinfolk_record_free(found);
    }
    OK(kinfolk_query_sort(query, "number", true));
    OK(kinfolk_query_limit(query, 1));
}

/* The cursor of the first page; the last one if other calls have changed the query so that it does not run. */
static const uint8_t *cursor_of(const kinfolk_query *query, const kinfolk_database *database) {
    kinfolk_page *page = NULL;
    const uint8_t *cursor = NULL;
    size_t length = 0;
    if (kinfolk_query_run(query, database, NULL, 0, &page) == KINFOLK_OK)
        OK(kinfolk_page_cursor(page, &cursor, &length));
    if (length > 0) {
        REQUIRE(length <= sizeof query_cursor.bytes);
        memcpy(query_cursor.bytes, cursor, length);
        query_cursor.length = length;
    }
    kinfolk_page_free(page);
    return query_cursor.bytes;
}

/* The report of an erasure, of another account than the one of the calls. */
static kinfolk_status erase_somebody(const kinfolk_service *service, kinfolk_erasure **erasure) {
    kinfolk_account *account = make_person(service, "Alan", "Lovelace", "alan." MARK "@example.com");
    kinfolk_status status = kinfolk_account_erase(account, erasure);
    kinfolk_account_free(account);
    return status;
}

/* An audit log with an entry in it. */
static kinfolk_status look_somebody_up(const kinfolk_service *service, const kinfolk_container *container,
                                       const kinfolk_session *session, kinfolk_audit **audit) {
    kinfolk_account *account = NULL;
    OK(kinfolk_container_find_account(container, record_id(session), "Ticket 1", &account));
    kinfolk_account_free(account);
    return kinfolk_service_audit_log(service, 0, 1, audit);
}

/* A list with one pair of people whom the operator blocked. */
static kinfolk_status separate_two(const kinfolk_container *container, const kinfolk_session *session,
                                   kinfolk_operator_blocks **blocks) {
    OK(kinfolk_container_block(container, NOBODY, record_id(session)));
    return kinfolk_container_operator_blocks(container, NULL, NULL, 1, blocks);
}

/* The name of a container that exists only to be deleted. */
static const char *a_container_to_delete(const kinfolk_service *service) {
    static const char name[] = "com.example.passing";
    kinfolk_container *container = NULL;
    OK(kinfolk_container_open_or_create(service, name, &container, NULL));
    kinfolk_container_free(container);
    return name;
}

/* A file with one person, who is skipped because there is an account with the address. */
static const char *people_file(void) {
    static const char text[] = "email\n" EMAIL "\n";
    const char *path = file_path("people.csv");
    if (!file_exists(path)) write_file(path, text, sizeof text - 1);
    return path;
}

/* A list with one blocked person. */
static kinfolk_status block_somebody(const kinfolk_session *session, kinfolk_blocked **blocked) {
    OK(kinfolk_session_block(session, NOBODY));
    return kinfolk_session_blocked(session, blocked);
}

/* A query that has no order, as those of subscriptions. The same one at each call. */
static const kinfolk_query *an_unsorted_query(void) {
    kinfolk_value *date = NULL;
    if (unsorted_query == NULL) {
        OK(kinfolk_query_new("Note", "number >= 0 AND createdAt > %@", &unsorted_query));
        OK(kinfolk_value_new_date(0, &date));
        OK(kinfolk_query_bind(unsorted_query, date));
        kinfolk_value_free(date);
    }
    return unsorted_query;
}

/* A subscription to notes, which brings along their number. */
static kinfolk_status subscribe(kinfolk_subscription **subscription) {
    static const char *const keys[] = { "number" };
    uint32_t options = KINFOLK_FIRES_ON_RECORD_CREATION | KINFOLK_FIRES_ON_RECORD_UPDATE;
    kinfolk_status status = kinfolk_subscription_new_query(an_unsorted_query(), options, "notes", subscription);
    if (status == KINFOLK_OK) status = kinfolk_subscription_set_list(*subscription, KINFOLK_INFO_DESIRED_KEYS, keys, 1);
    return status;
}

/* The ID of a subscription that is saved. It makes no notifications. */
static const char *a_subscription(const kinfolk_database *database) {
    kinfolk_subscription *saved = NULL;
    OK(kinfolk_subscription_new_query(an_unsorted_query(), KINFOLK_FIRES_ON_RECORD_DELETION, "saved", &saved));
    OK(kinfolk_subscription_save(database, saved));
    kinfolk_subscription_free(saved);
    return "saved";
}

static kinfolk_status list_subscriptions(const kinfolk_database *database, kinfolk_subscription_list **list) {
    a_subscription(database);
    return kinfolk_subscriptions(database, list);
}

/* The name of a device. */
static const char *a_device(const kinfolk_container *container, const kinfolk_account *account) {
    kinfolk_session *tablets = NULL;
    OK(kinfolk_session_open_on_device(container, account, "tablet", &tablets));
    kinfolk_session_free(tablets);
    return "tablet";
}

static kinfolk_status list_devices(const kinfolk_container *container, const kinfolk_account *account,
                                   const kinfolk_session *session, kinfolk_devices **devices) {
    a_device(container, account);
    return kinfolk_session_devices(session, devices);
}

#define ORIGINS "https://app.example.com\nhttp://localhost:8000"

/* A name that no API token and no key of a server has. */
static const char *a_new_name(void) {
    static char name[32];
    static unsigned count;
    snprintf(name, sizeof name, "name %u", ++count);
    return name;
}

/* An API token of a container, which has few of them. */
static const char *a_token(const kinfolk_container *container) {
    char *token = NULL;
    kinfolk_status status = kinfolk_api_token_create(container, "kept", NULL, NULL, false, &token);
    CHECK(status == KINFOLK_OK || status == KINFOLK_CONFLICT);
    kinfolk_free(token);
    return "kept";
}

/* A point that no key of a server has. */
static const uint8_t *a_new_key(void) {
    static uint8_t key[KINFOLK_SERVER_KEY_LENGTH] = { 4 };
    static unsigned count;
    count++;
    memcpy(key + 1, &count, sizeof count);
    return key;
}

/* The ID of a key of a server. */
static const char *a_server_key(const kinfolk_container *container) {
    static const uint8_t key[KINFOLK_SERVER_KEY_LENGTH] = { 4, 1, 1, 1, 1, 1, 1, 1, 1 };
    static char id[65];
    kinfolk_server_keys *keys = NULL;
    kinfolk_status status = kinfolk_server_key_add(container, "kept", key, sizeof key, NULL);
    size_t i;
    CHECK(status == KINFOLK_OK || status == KINFOLK_CONFLICT);
    OK(kinfolk_container_server_keys(container, &keys));
    for (i = 0; i < kinfolk_server_keys_count(keys); i++)
        if (strcmp(kinfolk_server_keys_name(keys, i), "kept") == 0)
            snprintf(id, sizeof id, "%s", kinfolk_server_keys_id(keys, i));
    kinfolk_server_keys_free(keys);
    return id;
}

static void an_identity(const kinfolk_account *account) {
    OK(kinfolk_account_add_identity(account, "https://id.example.com", "1815"));
}

static kinfolk_status list_tokens(const kinfolk_container *container, kinfolk_api_tokens **tokens) {
    char *token = NULL;
    OK(kinfolk_api_token_create(container, a_new_name(), ORIGINS, ORIGINS, true, &token));
    kinfolk_free(token);
    return kinfolk_container_api_tokens(container, tokens);
}

static kinfolk_status list_server_keys(const kinfolk_container *container, kinfolk_server_keys **keys) {
    a_server_key(container);
    return kinfolk_container_server_keys(container, keys);
}

static kinfolk_status list_linked_identities(const kinfolk_account *account, kinfolk_linked_identities **identities) {
    an_identity(account);
    return kinfolk_account_linked_identities(account, identities);
}

/* A notification of a session, after another session of the user has saved a note. */
static kinfolk_status notify(const kinfolk_container *container, const kinfolk_account *account,
                             const kinfolk_session *session, const kinfolk_database *database,
                             kinfolk_notifications **notifications) {
    kinfolk_subscription *subscription = NULL;
    kinfolk_session *other = sign_in(container, account);
    kinfolk_database *elsewhere = NULL;
    kinfolk_record *changed = NULL;
    OK(subscribe(&subscription));
    OK(kinfolk_subscription_save(database, subscription));
    OK(kinfolk_session_database(other, KINFOLK_DATABASE_PRIVATE, &elsewhere));
    OK(kinfolk_record_new("Note", "notified", NULL, &changed));
    OK(kinfolk_record_set_int64(changed, "number", 1));
    OK(kinfolk_database_save(elsewhere, changed, KINFOLK_SAVE_ALL_KEYS));
    kinfolk_record_free(changed);
    kinfolk_database_free(elsewhere);
    kinfolk_session_free(other);
    kinfolk_subscription_free(subscription);
    return kinfolk_notifications_fetch(session, 0, 60, notifications);
}

/* The ID of a notification. */
static struct {
    uint8_t bytes[256];
    size_t length;
} notification_id;
static const uint8_t *id_of(const kinfolk_notification *notification) {
    const uint8_t *id = NULL;
    OK(kinfolk_notification_id(notification, &id, &notification_id.length));
    REQUIRE(notification_id.length >= 1 && notification_id.length <= sizeof notification_id.bytes);
    memcpy(notification_id.bytes, id, notification_id.length);
    return notification_id.bytes;
}

/* The state of a client that has found nobody yet. */
enum { CLIENT_STATE_LENGTH = 138 + sizeof NOTES - 1 };
static const uint8_t *a_client_state(void) {
    static uint8_t bytes[CLIENT_STATE_LENGTH];
    kinfolk_private_client *client = NULL;
    uint8_t *state = NULL;
    size_t length = 0;
    if (bytes[0] != 0) return bytes;
    OK(kinfolk_private_client_new(NOTES, NULL, 0, NULL, NULL, NULL, 0, 1, &client));
    OK(kinfolk_private_client_state(client, &state, &length));
    REQUIRE(length == sizeof bytes);
    memcpy(bytes, state, length);
    kinfolk_free(state);
    kinfolk_private_client_free(client);
    return bytes;
}

/* What a session answers to description_request, but with some_public_key for the key of the newest epoch. */
static size_t description_length;
static const uint8_t *a_description(const kinfolk_session *session) {
    static uint8_t bytes[8000];
    uint8_t *answer = NULL;
    OK(kinfolk_session_answer(session, description_request, sizeof description_request, 1, &answer,
                              &description_length));
    REQUIRE(description_length <= sizeof bytes);
    memcpy(bytes, answer, description_length);
    memcpy(bytes + sizeof description_request + 32 + 1 + 4 + 1 + 1, some_public_key, sizeof some_public_key);
    kinfolk_free(answer);
    return bytes;
}

static void ask_for_a_description(kinfolk_private_client *client) {
    uint8_t *request = NULL;
    size_t length = 0;
    OK(kinfolk_private_client_next_request(client, &request, &length));
    EQUAL(length, sizeof description_request);
    CHECK(memcmp(request, description_request, length) == 0);
    kinfolk_free(request);
}

/* The path of a file that is not there. */
static const char *no_file(void) {
    unlink(file_path("copy.db"));
    return file_path("copy.db");
}

/* A backup of a store that is not open. */
static const char *a_backup(void) {
    kinfolk_service *service = NULL;
    if (!file_exists(file_path("backup.db"))) {
        OK(kinfolk_service_open(file_path("restored.db"), NULL, &service));
        OK(kinfolk_service_back_up(service, file_path("backup.db"), NULL, NULL));
        kinfolk_service_free(service);
    }
    return file_path("backup.db");
}

/* The code that was mailed to an address. One code for each store, because an address gets at most five a day. */
static const char *a_code(const kinfolk_account *account, const char *email, kinfolk_code_purpose purpose,
                          char mailed[16]) {
    char *recipient = NULL, *code = NULL, *pass = NULL;
    if (mailed[0] == '\0') {
        /* An earlier call may have moved the address, or decided the claim. */
        if (kinfolk_account_request_verification(account, email, purpose, NULL, &recipient, &code, &pass) != KINFOLK_OK)
            return "0000-0000";
        snprintf(mailed, 16, "%s", code);
        kinfolk_free(recipient);
        kinfolk_free(code);
        kinfolk_free(pass);
    }
    return mailed;
}

static const char *mailed_code(const kinfolk_account *account) {
    return a_code(account, UNVERIFIED, KINFOLK_CODE_ADD_EMAIL, code_mailed);
}

static const char *sign_in_code(const kinfolk_account *account) {
    return a_code(account, EMAIL, KINFOLK_CODE_SIGN_IN, sign_in_mailed);
}

static const char *refusal_code(const kinfolk_account *account) {
    return a_code(account, EMAIL, KINFOLK_CODE_REFUSE_CLAIM, refusal_mailed);
}

/* The claim on Ada's address. */
static kinfolk_status claim_something(const kinfolk_service *service, kinfolk_claims **claims) {
    return kinfolk_service_claims(service, NULL, 10, claims);
}

/* All data of an account. It must be the same before and after failed calls. */
static char *everything_about(const kinfolk_account *account) {
    char *json = NULL;
    OK(kinfolk_account_export(account, &json));
    return json;
}

#endif
