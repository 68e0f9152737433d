/*
 * The key-value store. A value of any shape is refused with one sentence, or it is read back with the same types and bits. A small model says
 * which keys have a value, and another device is told of exactly the keys that were set or removed. Any text as a key.
 */

#include "fields.h"
#include "store.h"

enum { MOST_KEYS = 16, MOST_ELEMENTS = 4, DEEPEST = 40, FRESH_AFTER = 2000 };

static kinfolk_keyvalue *store, *elsewhere;
static unsigned inputs;

/* The keys that the input has used, and their values; NULL if a key has none. */
static struct entry {
    char *key;
    kinfolk_value *value;
} entries[MOST_KEYS];
static size_t entry_count;

static void begin(void) {
    static kinfolk_service *service; /* open while its sessions are used */
    kinfolk_container *container = NULL;
    kinfolk_account *account;
    kinfolk_session *session = NULL, *other = NULL;
    kinfolk_keyvalue_changes *changes = NULL;
    kinfolk_keyvalue_free(store);
    kinfolk_keyvalue_free(elsewhere);
    kinfolk_service_free(service);
    service = store_make();
    account = store_person(service, "Ada", "ada@example.com");
    OK(kinfolk_container_create(service, NOTES, &container));
    OK(kinfolk_session_open_on_device(container, account, "phone", &session));
    OK(kinfolk_session_open_on_device(container, account, "tablet", &other));
    OK(kinfolk_session_keyvalue(session, &store));
    OK(kinfolk_session_keyvalue(other, &elsewhere));
    OK(kinfolk_keyvalue_synchronize(elsewhere, &changes));
    kinfolk_keyvalue_changes_free(changes);
    kinfolk_session_free(session);
    kinfolk_session_free(other);
    kinfolk_container_free(container);
    kinfolk_account_free(account);
}

/* ---- Values */

/* A value from the input, or NULL if it was refused. */
static kinfolk_value *take_any(input *in, int depth) {
    kinfolk_value *values[MOST_ELEMENTS] = { NULL }, *value = NULL;
    char *texts[MOST_ELEMENTS] = { NULL };
    size_t lengths[MOST_ELEMENTS] = { 0 }, count = 0, i;
    uint8_t kind = take_byte(in);
    kinfolk_status status;
    if (kind < 128 || depth == 0) {
        field f;
        bool is_good;
        memset(&f, 0, sizeof f);
        f.type = field_types[kind % 16];
        is_good = take_value(&f, in);
        status = make_value(&f, &value);
        /* A reference gets its zone when a record gets it. */
        if (status == KINFOLK_OK && is_good && (f.type & 15) != KINFOLK_REFERENCE) check_value(value, &f);
        field_end(&f);
    } else if (kind >= 250) { /* arrays in each other */
        value = take_any(in, 0);
        status = value == NULL ? KINFOLK_INVALID_ARGUMENT : KINFOLK_OK;
        for (i = take_byte(in) % DEEPEST; i > 0 && status == KINFOLK_OK; i--) {
            kinfolk_value *outer = NULL;
            status = kinfolk_value_new_array((const kinfolk_value *const *)&value, 1, &outer);
            kinfolk_value_free(value);
            value = outer;
        }
    } else {
        size_t wanted = take_byte(in) % (MOST_ELEMENTS + 1);
        for (; count < wanted; count++) {
            texts[count] = kind & 1 ? take_text_of(in, &lengths[count]) : NULL;
            values[count] = take_any(in, depth - 1);
            if (values[count] == NULL) OK(kinfolk_value_new_int64(0, &values[count]));
        }
        status = kind & 1 ? kinfolk_value_new_dictionary((const char *const *)texts, lengths,
                                                         (const kinfolk_value *const *)values, count, &value)
                          : kinfolk_value_new_array((const kinfolk_value *const *)values, count, &value);
        for (i = 0; i < count; i++) {
            if (status == KINFOLK_OK && kind & 1) HOLDS(is_utf_8(texts[i], lengths[i]));
            kinfolk_value_free(values[i]);
            free(texts[i]);
        }
        if (status == KINFOLK_OK) HOLDS(kinfolk_value_count(value) == count);
    }
    if (status != KINFOLK_OK) {
        FAILED(status, KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED);
        HOLDS(value == NULL);
    }
    return value;
}

/* Both values must have the same types, sizes and bits. The second one is from the store, where a list is an array. */
static void compare(const kinfolk_value *one, const kinfolk_value *other) {
    kinfolk_field_type type = kinfolk_value_type(one);
    size_t count = kinfolk_value_count(one), i, n, m;
    const char *const *texts, *const *others;
    const uint8_t *const *bytes, *const *more;
    const size_t *lengths, *sizes;
    const int64_t *integers, *numbers;
    const double *doubles, *reals;
    const bool *booleans, *flags;
    HOLDS(kinfolk_value_count(other) == count);
    if (type > 16 && type < KINFOLK_ARRAY && kinfolk_value_type(other) == KINFOLK_ARRAY) {
        for (i = 0; i < count; i++) {
            kinfolk_value *element = NULL;
            OK(kinfolk_value_get_element(other, i, &element));
            HOLDS(kinfolk_value_type(element) == (type & 15));
            kinfolk_value_free(element);
        }
        return;
    }
    HOLDS(kinfolk_value_type(other) == type);
    if (type == KINFOLK_ARRAY || type == KINFOLK_DICTIONARY) {
        for (i = 0; i < count; i++) {
            kinfolk_value *left = NULL, *right = NULL;
            const char *text = NULL, *same = NULL;
            OK(kinfolk_value_get_element(one, i, &left));
            OK(kinfolk_value_get_element(other, i, &right));
            compare(left, right);
            kinfolk_value_free(left);
            kinfolk_value_free(right);
            if (type == KINFOLK_ARRAY) continue;
            OK(kinfolk_value_get_text(one, i, &text, &n));
            OK(kinfolk_value_get_text(other, i, &same, &m));
            HOLDS(n == m && memcmp(text, same, n) == 0);
        }
        HOLDS(kinfolk_value_get_element(one, count, NULL) == KINFOLK_INVALID_ARGUMENT);
        return;
    }
    switch (type & 15) {
    case KINFOLK_STRING:
        OK(kinfolk_value_get_strings(one, &texts, &lengths, &n));
        OK(kinfolk_value_get_strings(other, &others, &sizes, &m));
        for (i = 0; i < n; i++) HOLDS(lengths[i] == sizes[i] && memcmp(texts[i], others[i], lengths[i]) == 0);
        break;
    case KINFOLK_BYTES:
        OK(kinfolk_value_get_bytes(one, &bytes, &lengths, &n));
        OK(kinfolk_value_get_bytes(other, &more, &sizes, &m));
        for (i = 0; i < n; i++)
            HOLDS(lengths[i] == sizes[i] && (lengths[i] == 0 || memcmp(bytes[i], more[i], lengths[i]) == 0));
        break;
    case KINFOLK_INT64:
        OK(kinfolk_value_get_int64s(one, &integers, &n));
        OK(kinfolk_value_get_int64s(other, &numbers, &m));
        for (i = 0; i < n; i++) HOLDS(integers[i] == numbers[i]);
        break;
    case KINFOLK_DATE:
        OK(kinfolk_value_get_dates(one, &integers, &n));
        OK(kinfolk_value_get_dates(other, &numbers, &m));
        for (i = 0; i < n; i++) HOLDS(integers[i] == numbers[i]);
        break;
    case KINFOLK_DOUBLE:
        OK(kinfolk_value_get_doubles(one, &doubles, &n));
        OK(kinfolk_value_get_doubles(other, &reals, &m));
        for (i = 0; i < n; i++) HOLDS(same_bits(doubles[i], reals[i]));
        break;
    default:
        OK(kinfolk_value_get_booleans(one, &booleans, &n));
        OK(kinfolk_value_get_booleans(other, &flags, &m));
        for (i = 0; i < n; i++) HOLDS(booleans[i] == flags[i]);
    }
}

/* ---- Keys */

static bool is_key(const char *key) {
    size_t length = strlen(key);
    return length >= 1 && length <= 64 && is_utf_8(key, length);
}

/* The entry of a key; NULL if there are too many. */
static struct entry *entry_of(const char *key) {
    size_t i;
    for (i = 0; i < entry_count; i++)
        if (strcmp(entries[i].key, key) == 0) return &entries[i];
    if (entry_count == MOST_KEYS) return NULL;
    entries[entry_count].key = strdup(key);
    entries[entry_count].value = NULL;
    return &entries[entry_count++];
}

static void use_wrong_key(const char *key) {
    kinfolk_value *value = NULL;
    OK(kinfolk_value_new_int64(1, &value));
    FAILED(kinfolk_keyvalue_set(store, key, value), KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    FAILED(kinfolk_keyvalue_remove(store, key), KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
    kinfolk_value_free(value);
    value = NULL;
    FAILED(kinfolk_keyvalue_get(store, key, &value), KINFOLK_INVALID_ARGUMENT, KINFOLK_INVALID_ARGUMENT);
}

static void check_entry(const struct entry *entry) {
    kinfolk_value *found = NULL;
    kinfolk_status status = kinfolk_keyvalue_get(elsewhere, entry->key, &found);
    if (entry->value == NULL) {
        FAILED(status, KINFOLK_UNKNOWN_ITEM, KINFOLK_UNKNOWN_ITEM);
    } else {
        HOLDS(status == KINFOLK_OK);
        compare(entry->value, found);
        kinfolk_value_free(found);
    }
}

static void set(struct entry *entry, input *in) {
    kinfolk_value *value = take_any(in, 3);
    kinfolk_status status;
    if (value == NULL) return;
    status = kinfolk_keyvalue_set(store, entry->key, value);
    if (status != KINFOLK_OK) {
        kinfolk_field_type type = (kinfolk_field_type)(kinfolk_value_type(value) & 15);
        HOLDS(is_one_line(kinfolk_error_message()) && kinfolk_error_message()[0] != '\0');
        HOLDS(status == KINFOLK_QUOTA_EXCEEDED || status == KINFOLK_LIMIT_EXCEEDED ||
              (status == KINFOLK_INVALID_ARGUMENT && (type == KINFOLK_LOCATION || type == KINFOLK_REFERENCE)));
        kinfolk_value_free(value);
        return;
    }
    kinfolk_value_free(entry->value);
    entry->value = value;
}

/* All keys at once, in the order of their bytes. */
static void check_all(void) {
    kinfolk_keyvalue_entries *all = NULL;
    size_t count, i, wanted = 0;
    OK(kinfolk_keyvalue_all(elsewhere, &all));
    count = kinfolk_keyvalue_entries_count(all);
    for (i = 0; i < entry_count; i++) wanted += entries[i].value != NULL;
    HOLDS(count == wanted);
    for (i = 0; i < count; i++) {
        const char *key = kinfolk_keyvalue_entries_key(all, i);
        kinfolk_value *value = NULL;
        OK(kinfolk_keyvalue_entries_value(all, i, &value));
        compare(entry_of(key)->value, value);
        kinfolk_value_free(value);
        if (i > 0) HOLDS(strcmp(kinfolk_keyvalue_entries_key(all, i - 1), key) < 0);
    }
    kinfolk_keyvalue_entries_free(all);
}

/* The other device is told of each key once. A key that was refused, or removed without a value, need not be told. */
static void check_changes(void) {
    kinfolk_keyvalue_changes *changes = NULL;
    bool told[MOST_KEYS] = { false };
    size_t count, i;
    OK(kinfolk_keyvalue_synchronize(elsewhere, &changes));
    count = kinfolk_keyvalue_changes_count(changes);
    for (i = 0; i < count; i++) {
        const char *key = kinfolk_keyvalue_changes_key(changes, i);
        struct entry *entry = key == NULL ? NULL : entry_of(key);
        HOLDS(kinfolk_keyvalue_changes_reason(changes, i) == KINFOLK_KEYVALUE_SERVER_CHANGE);
        HOLDS(entry != NULL && !told[entry - entries]);
        told[entry - entries] = true;
    }
    for (i = 0; i < entry_count; i++) HOLDS(entries[i].value == NULL || told[i]);
    kinfolk_keyvalue_changes_free(changes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    input in = { data, size };
    kinfolk_keyvalue_changes *changes = NULL;
    size_t i;
    if (store == NULL || inputs++ >= FRESH_AFTER) {
        begin();
        inputs = 0;
    }
    while (in.left > 0) {
        uint8_t step = take_byte(&in);
        char *key = take_text(&in);
        struct entry *entry = is_key(key) ? entry_of(key) : NULL;
        if (!is_key(key)) {
            use_wrong_key(key);
        } else if (entry != NULL && step % 4 == 0) {
            OK(kinfolk_keyvalue_remove(store, key));
            kinfolk_value_free(entry->value);
            entry->value = NULL;
        } else if (entry != NULL) {
            set(entry, &in);
        }
        if (entry != NULL) check_entry(entry);
        free(key);
    }
    check_all();
    check_changes();
    for (i = 0; i < entry_count; i++) {
        OK(kinfolk_keyvalue_remove(store, entries[i].key));
        kinfolk_value_free(entries[i].value);
        free(entries[i].key);
    }
    entry_count = 0;
    OK(kinfolk_keyvalue_synchronize(elsewhere, &changes));
    kinfolk_keyvalue_changes_free(changes);
    changes = NULL;
    OK(kinfolk_keyvalue_synchronize(store, &changes)); /* what was refused */
    kinfolk_keyvalue_changes_free(changes);
    return 0;
}
