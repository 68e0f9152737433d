/* The parts that are simpler in C than in Swift: the numbers of the ABI, the last error of each thread. */

#include "last_error.h"
#include "options.h"

#include <pthread.h>
#include <string.h>

/* The ABI: these never change. */
_Static_assert(sizeof(kinfolk_status) == 4 && KINFOLK_ASSET_FILE_MODIFIED == 21, "statuses are pinned");
_Static_assert(sizeof(kinfolk_account_status) == 4 && KINFOLK_ACCOUNT_NO_ACCOUNT == 3, "account statuses are pinned");
_Static_assert(sizeof(kinfolk_discoverability) == 4 && KINFOLK_DISCOVERABILITY_DENIED == 2, "answers are pinned");
_Static_assert(sizeof(kinfolk_environment) == 4 && KINFOLK_ENVIRONMENT_DEVELOPMENT == 1, "environments are pinned");
_Static_assert(sizeof(kinfolk_database_scope) == 4 && KINFOLK_DATABASE_NONE == 2, "databases are pinned");
_Static_assert(sizeof(kinfolk_operation) == 4 && KINFOLK_OPERATION_FORCE_DELETE == 7, "operations are pinned");
_Static_assert(sizeof(kinfolk_field_type) == 4 && KINFOLK_ASSET_LIST == 25, "field types are pinned");
_Static_assert(sizeof(kinfolk_save_policy) == 4 && KINFOLK_SAVE_ALL_KEYS == 2, "save policies are pinned");
_Static_assert(sizeof(size_t) != 8 || offsetof(kinfolk_open_options, require_locked_memory) == 64,
               "version 1 of the options is pinned");
_Static_assert(sizeof(size_t) != 8 || offsetof(kinfolk_open_options, read_only) == 65,
               "version 2 of the options is pinned");
_Static_assert(sizeof(size_t) != 8 || sizeof(kinfolk_open_options) == 72, "version 3 of the options is pinned");
_Static_assert(sizeof(kinfolk_schema_change) == 4 && KINFOLK_SCHEMA_REMOVE_GRANT == 10, "changes are pinned");
_Static_assert(sizeof(kinfolk_quota) == 4 && KINFOLK_QUOTA_ASSET == 3, "quotas are pinned");
_Static_assert(sizeof(kinfolk_finding) == 4 && KINFOLK_FINDING_MISCOUNTED == 7, "findings are pinned");

size_t ckinfolk_options_length(uint32_t version) {
    switch (version) {
    case 1: return offsetof(kinfolk_open_options, require_locked_memory);
    case 2: return offsetof(kinfolk_open_options, read_only);
    case 3: return sizeof(kinfolk_open_options);
    }
    return 0;
}

const char *kinfolk_version(void) { return KINFOLK_VERSION; }

uint32_t kinfolk_version_number(void) { return KINFOLK_VERSION_NUMBER; }

const char *kinfolk_status_name(kinfolk_status status) {
    switch (status) {
    case KINFOLK_OK: return "ok";
    case KINFOLK_INVALID_ARGUMENT: return "invalidArgument";
    case KINFOLK_UNKNOWN_ITEM: return "unknownItem";
    case KINFOLK_NOT_AUTHENTICATED: return "notAuthenticated";
    case KINFOLK_PERMISSION_FAILURE: return "permissionFailure";
    case KINFOLK_SERVER_RECORD_CHANGED: return "serverRecordChanged";
    case KINFOLK_LIMIT_EXCEEDED: return "limitExceeded";
    case KINFOLK_REQUEST_RATE_LIMITED: return "requestRateLimited";
    case KINFOLK_CONFLICT: return "conflict";
    case KINFOLK_SERVICE_UNAVAILABLE: return "serviceUnavailable";
    case KINFOLK_KEY_MISMATCH: return "keyMismatch";
    case KINFOLK_STORE_CORRUPT: return "storeCorrupt";
    case KINFOLK_INTERNAL_ERROR: return "internalError";
    case KINFOLK_CANCELLED: return "cancelled";
    case KINFOLK_BATCH_REQUEST_FAILED: return "batchRequestFailed";
    case KINFOLK_REFERENCE_VIOLATION: return "referenceViolation";
    case KINFOLK_CHANGE_TOKEN_EXPIRED: return "changeTokenExpired";
    case KINFOLK_ZONE_NOT_FOUND: return "zoneNotFound";
    case KINFOLK_QUOTA_EXCEEDED: return "quotaExceeded";
    case KINFOLK_ASSET_NOT_AVAILABLE: return "assetNotAvailable";
    case KINFOLK_ASSET_FILE_NOT_FOUND: return "assetFileNotFound";
    case KINFOLK_ASSET_FILE_MODIFIED: return "assetFileModified";
    }
    return "unknown";
}

/* ---- The last error of each thread ---- */

static _Thread_local char last_message[512];
static _Thread_local double last_retry_after;
static _Thread_local bool last_in_doubt;
static _Thread_local kinfolk_record *last_record;

/* Frees the record if a thread ends before the caller took it. */
static pthread_key_t record_key;
static pthread_once_t record_key_made = PTHREAD_ONCE_INIT;

static void free_record(void *record) { kinfolk_record_free(record); }
static void make_record_key(void) { (void)pthread_key_create(&record_key, free_record); }

static void keep_record(kinfolk_record *record) {
    if (record == last_record) return;
    pthread_once(&record_key_made, make_record_key);
    kinfolk_record *old = last_record;
    last_record = record;
    (void)pthread_setspecific(record_key, record);
    kinfolk_record_free(old);
}

void ckinfolk_last_error_set(const char *message, double retry_after, bool in_doubt, kinfolk_record *record) {
    size_t length = strlen(message);
    if (length >= sizeof last_message) {
        length = sizeof last_message - 1;
        /* Never cuts in the middle of a UTF-8 character. */
        while (length > 0 && ((unsigned char)message[length] & 0xC0) == 0x80) length--;
    }
    memcpy(last_message, message, length);
    last_message[length] = '\0';
    last_retry_after = retry_after;
    last_in_doubt = in_doubt;
    keep_record(record);
}

const char *kinfolk_error_message(void) { return last_message; }

double kinfolk_error_retry_after(void) { return last_retry_after; }

bool kinfolk_error_in_doubt(void) { return last_in_doubt; }

kinfolk_record *kinfolk_error_take_server_record(void) {
    kinfolk_record *record = last_record;
    last_record = NULL;
    if (record != NULL) (void)pthread_setspecific(record_key, NULL);
    return record;
}
