/*
 * The server's part of private discovery: kinfolk_session_answer accepts exactly the requests that docs/private-discovery.md
 * calls well-formed, and its answers are as described there.
 *
 * The first byte of the input says what the rest is: a complete message, or a message without its header, which is added so that
 * the rest is parsed.
 */

#include "private.h"

enum { LONGEST = 1 << 13, RENEWAL_POINTS = POINTS + 4 };

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    private_begin();
    return 0;
}

/* ---- Well-formed requests */

/* libsodium 1.0.18 ignores the highest bit. */
static bool is_point(const uint8_t *bytes) {
    static const uint8_t identity[POINT];
    if (memcmp(bytes, identity, POINT) == 0 || (bytes[POINT - 1] & 0x80) != 0) return false;
    return crypto_core_ristretto255_is_valid_point(bytes) == 1;
}

static size_t prefix_bytes(uint32_t bits) { return (bits + 7) / 8; }

/* The status that the answer must have. */
static int expected(const uint8_t *bytes, size_t length) {
    uint32_t epoch, count, bits, paid, i;
    uint64_t before = 0;
    if (length < HEADER || memcmp(bytes, "KF\2", 3) != 0) return KINFOLK_INVALID_ARGUMENT;
    epoch = number_at(bytes + 4, 4);
    switch (bytes[3]) {
    case DESCRIPTION_REQUEST: return epoch == 0 && length == HEADER ? KINFOLK_OK : KINFOLK_INVALID_ARGUMENT;
    case EVALUATION_REQUEST:
        if (length < POINTS || bytes[HEADER + ID] > 1) return KINFOLK_INVALID_ARGUMENT;
        count = number_at(bytes + HEADER + ID + 1, 2);
        if (count != 64 && count != 256 && count != 1024 && count != 4096 && count != 16384)
            return KINFOLK_INVALID_ARGUMENT;
        if (length != POINTS + (size_t)count * POINT) return KINFOLK_INVALID_ARGUMENT;
        if (epoch != 1 && epoch != 2) return KINFOLK_UNKNOWN_ITEM;
        for (i = 0; i < count; i++)
            if (!is_point(bytes + POINTS + i * POINT)) return KINFOLK_INVALID_ARGUMENT;
        return KINFOLK_OK;
    case RENEWAL_REQUEST:
        if (length < RENEWAL_POINTS || bytes[HEADER + ID] > 1) return KINFOLK_INVALID_ARGUMENT;
        count = number_at(bytes + HEADER + ID + 1, 2);
        paid = number_at(bytes + POINTS, 4);
        if (count != 64 && count != 256 && count != 1024 && count != 4096 && count != 16384)
            return KINFOLK_INVALID_ARGUMENT;
        if (paid == 0 || paid == epoch) return KINFOLK_INVALID_ARGUMENT;
        if (length != RENEWAL_POINTS + 2 * (size_t)count * POINT) return KINFOLK_INVALID_ARGUMENT;
        if ((epoch != 1 && epoch != 2) || (paid != 1 && paid != 2)) return KINFOLK_UNKNOWN_ITEM;
        for (i = 0; i < count; i++)
            if (!is_point(bytes + RENEWAL_POINTS + i * POINT)) return KINFOLK_INVALID_ARGUMENT;
        return KINFOLK_PERMISSION_FAILURE; /* no receipt can be forged without the key */
    case BUCKET_REQUEST:
        if (length < BUCKETS) return KINFOLK_INVALID_ARGUMENT;
        bits = bytes[BITS];
        count = number_at(bytes + BITS + 1, 2);
        if (bits > 32 || count < 1 || count > 4096) return KINFOLK_INVALID_ARGUMENT;
        if (length != BUCKETS + count * (prefix_bytes(bits) + VERSION)) return KINFOLK_INVALID_ARGUMENT;
        for (i = 0; i < count; i++) {
            uint64_t prefix = number_at(bytes + BUCKETS + i * (prefix_bytes(bits) + VERSION), prefix_bytes(bits));
            if ((prefix & ((1u << (8 * prefix_bytes(bits) - bits)) - 1)) != 0) return KINFOLK_INVALID_ARGUMENT;
            if (i > 0 && prefix <= before) return KINFOLK_INVALID_ARGUMENT;
            before = prefix;
        }
        if (epoch != 1 && epoch != 2) return KINFOLK_UNKNOWN_ITEM;
        return bits > PREFIX_BITS ? KINFOLK_CONFLICT : KINFOLK_OK;
    default: return KINFOLK_INVALID_ARGUMENT;
    }
}

/* ---- Correct answers */

static void check_description(const message *answer) {
    enum { EPOCHS = HEADER + KINFOLK_PUBLIC_KEY_LENGTH + 1, EPOCH = 4 + 1 + 1 + KINFOLK_PUBLIC_KEY_LENGTH };
    int i;
    HOLDS(answer->length == EPOCHS + 2 * EPOCH && answer->bytes[EPOCHS - 1] == 2);
    HOLDS(memcmp(answer->bytes + HEADER, bucket_key, KINFOLK_PUBLIC_KEY_LENGTH) == 0);
    HOLDS(number_at(answer->bytes + 4, 4) == 2);
    for (i = 0; i < 2; i++) {
        const uint8_t *at = answer->bytes + EPOCHS + i * EPOCH;
        HOLDS(number_at(at, 4) == 2 - (uint32_t)i && at[4] == 0 && at[5] == PREFIX_BITS);
        HOLDS(memcmp(at + 6, public_keys[1 - i], KINFOLK_PUBLIC_KEY_LENGTH) == 0);
    }
}

static void check_evaluation(const message *request, const message *answer) {
    uint32_t count = number_at(request->bytes + HEADER + ID + 1, 2), i, key;
    bool has_proof = request->bytes[HEADER + ID] == 1;
    HOLDS(answer->length == request->length + count * POINT + (has_proof ? 2 * PROOF : 0));
    HOLDS(memcmp(answer->bytes + 4, request->bytes + 4, POINTS - 4) == 0); /* epoch, ID, flags, number */
    for (key = 0; key < 2; key++) {
        for (i = 0; i < count; i++) {
            const uint8_t *asked = request->bytes + POINTS + i * POINT;
            const uint8_t *got = answer->bytes + POINTS + (key * count + i) * POINT;
            HOLDS(is_point(got));
            /* All points have the same key: two results are equal exactly if the points are. */
            if (i > 0) HOLDS((memcmp(asked, asked - POINT, POINT) == 0) == (memcmp(got, got - POINT, POINT) == 0));
        }
    }
}

/* The request again, with the versions of the answer, or with none. */
static message with_versions(const message *request, const message *answer) {
    size_t prefix = prefix_bytes(request->bytes[BITS]), count = number_at(request->bytes + BITS + 1, 2), i;
    const uint8_t *at = answer == NULL ? NULL : answer->bytes + BUCKETS + (count + 7) / 8;
    message changed = { malloc(request->length), request->length };
    if (changed.bytes == NULL) abort();
    memcpy(changed.bytes, request->bytes, request->length);
    for (i = 0; i < count; i++) {
        uint8_t *version = changed.bytes + BUCKETS + i * (prefix + VERSION) + prefix;
        memset(version, 0, VERSION);
        if (answer == NULL) continue;
        memcpy(version, at, VERSION);
        at += VERSION + 4 + (size_t)number_at(at + VERSION, 4) * ROW;
    }
    return changed;
}

static void check_buckets(const message *request, const message *answer) {
    uint32_t bits = request->bytes[BITS], count = number_at(request->bytes + BITS + 1, 2), i, k;
    size_t prefix = prefix_bytes(bits), at = BUCKETS + (count + 7) / 8;
    message none = with_versions(request, NULL), whole = answer_to(&none), same, short_answer;
    const uint8_t *full = whole.bytes + BUCKETS + (count + 7) / 8;
    HOLDS(answer->length >= at && memcmp(answer->bytes + 4, request->bytes + 4, BUCKETS - 4) == 0);
    for (i = 0; i < count; i++) {
        const uint8_t *asked = request->bytes + BUCKETS + i * (prefix + VERSION);
        uint32_t rows = number_at(full + VERSION, 4);
        size_t length = VERSION + 4 + (size_t)rows * ROW;
        bool has_changed = (answer->bytes[BUCKETS + i / 8] & 0x80 >> i % 8) != 0;
        HOLDS((whole.bytes[BUCKETS + i / 8] & 0x80 >> i % 8) != 0);
        HOLDS(rows <= PEOPLE - 2); /* without the caller and the person whom a block hides */
        for (k = 0; k < rows; k++) {
            const uint8_t *tag = full + VERSION + 4 + k * ROW;
            if (k > 0) HOLDS(memcmp(tag - ROW, tag, 8) <= 0);
        }
        HOLDS(has_changed == (memcmp(asked + prefix, full, VERSION) != 0));
        if (has_changed) {
            HOLDS(answer->length - at >= length && memcmp(answer->bytes + at, full, length) == 0);
            at += length;
        }
        full += length;
    }
    HOLDS(answer->length == at && full == whole.bytes + whole.length);
    if (bits == 0) HOLDS(number_at(whole.bytes + BUCKETS + 1 + VERSION, 4) == PEOPLE - 2);
    same = with_versions(request, &whole);
    short_answer = answer_to(&same);
    HOLDS(short_answer.length == BUCKETS + (count + 7) / 8);
    for (i = 0; i < (count + 7) / 8; i++) HOLDS(short_answer.bytes[BUCKETS + i] == 0);
    free(same.bytes);
    free(none.bytes);
    message_end(&whole);
    message_end(&short_answer);
}

static void check(const uint8_t *bytes, size_t length) {
    message request = { (uint8_t *)bytes, length }, answer = { NULL, 77 };
    int wanted = expected(bytes, length);
    kinfolk_status status = kinfolk_session_answer(caller, bytes, length, 1, &answer.bytes, &answer.length);
    HOLDS((int)status == wanted);
    if (status != KINFOLK_OK) {
        FAILED(status, status, status);
        HOLDS(answer.bytes == NULL && answer.length == 77);
        return;
    }
    HOLDS(answer.length >= HEADER && memcmp(answer.bytes, "KF\2", 3) == 0 && answer.bytes[3] == bytes[3] + 1);
    if (bytes[3] == DESCRIPTION_REQUEST) check_description(&answer);
    if (bytes[3] == EVALUATION_REQUEST) check_evaluation(&request, &answer);
    if (bytes[3] == BUCKET_REQUEST) check_buckets(&request, &answer);
    message_end(&answer);
}

/* ---- Messages made from an input */

static void put(uint8_t *bytes, size_t *length, const void *more, size_t size) {
    if (size > LONGEST - *length) size = LONGEST - *length;
    memcpy(bytes + *length, more, size);
    *length += size;
}

static void put_number(uint8_t *bytes, size_t *length, uint64_t number, size_t size) {
    uint8_t big[8];
    size_t i;
    for (i = 0; i < 8; i++) big[i] = (uint8_t)(number >> (8 * (7 - i)));
    put(bytes, length, big + 8 - size, size);
}

static void put_header(uint8_t *bytes, size_t *length, uint8_t type, uint32_t epoch) {
    static const uint8_t id[ID] = { 1, 2, 3 };
    put(bytes, length, "KF\2", 3);
    put_number(bytes, length, type, 1);
    put_number(bytes, length, epoch, 4);
    put(bytes, length, id, ID);
}

/* A renewal of points that nobody paid for. */
static void make_renewal(input *in, uint8_t *bytes, size_t *length) {
    uint8_t choice = take_byte(in), seed[64] = { 0 }, point[POINT];
    size_t i;
    put_header(bytes, length, RENEWAL_REQUEST, 1 + (choice >> 1 & 1));
    put_number(bytes, length, choice & 1, 1);
    put_number(bytes, length, BATCH, 2);
    put_number(bytes, length, choice >> 2 & 3, 4);
    for (i = 0; i < 2 * BATCH; i++) {
        seed[0] = take_byte(in);
        crypto_core_ristretto255_from_hash(point, seed);
        put(bytes, length, point, POINT);
    }
}

/* A batch of points, each chosen by a byte of the input: one of 240 points, or bytes of the input. Missing ones are the first point. */
static void make_evaluation(input *in, uint8_t *bytes, size_t *length) {
    static uint8_t points[240][POINT];
    uint8_t choice = take_byte(in);
    size_t i, size;
    if (!is_point(points[0])) {
        for (i = 0; i < 240; i++) {
            uint8_t seed[64] = { (uint8_t)(i + 1) };
            crypto_core_ristretto255_from_hash(points[i], seed);
        }
    }
    put_header(bytes, length, EVALUATION_REQUEST, 1 + (choice >> 1 & 1));
    put_number(bytes, length, choice & 1, 1);
    put_number(bytes, length, BATCH, 2);
    for (i = 0; i < BATCH; i++) {
        uint8_t which = take_byte(in), raw[POINT] = { 0 };
        const uint8_t *more;
        if (which < 240) {
            put(bytes, length, points[which], POINT);
            continue;
        }
        more = take_bytes(in, &size);
        memcpy(raw, more, size < POINT ? size : POINT);
        put(bytes, length, raw, POINT);
    }
}

/* Buckets with ascending prefixes. The input has the differences, and versions or none. */
static void make_buckets(input *in, uint8_t *bytes, size_t *length) {
    uint8_t choice = take_byte(in), bits = choice & 0x80 ? take_byte(in) % 34 : PREFIX_BITS;
    uint64_t prefix = 0;
    size_t count_at, count = 0, limit = 1 + take_byte(in) % 64, unused = 8 * prefix_bytes(bits) - bits;
    put_header(bytes, length, BUCKET_REQUEST, 1 + (choice & 1));
    put_number(bytes, length, bits, 1);
    count_at = *length;
    put_number(bytes, length, 0, 2);
    for (; count < limit && in->left > 0; count++) {
        uint8_t step = take_byte(in);
        prefix += count == 0 ? step & 7 : (step & 7) + 1;
        put_number(bytes, length, prefix << unused, prefix_bytes(bits));
        put_number(bytes, length, step & 8 ? take_number(in, VERSION) : 0, VERSION);
    }
    put_number(bytes, &count_at, count, 2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static uint8_t bytes[LONGEST + 64];
    input in = { data, size };
    size_t length = 0;
    switch (take_byte(&in) % 4) {
    case 0: check(in.at, in.left); break;
    case 3:
        make_renewal(&in, bytes, &length);
        check(bytes, length);
        break;
    case 1:
        make_evaluation(&in, bytes, &length);
        check(bytes, length);
        break;
    default:
        make_buckets(&in, bytes, &length);
        check(bytes, length);
    }
    return 0;
}
