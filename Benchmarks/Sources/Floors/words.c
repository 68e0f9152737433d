/* words.c: the search of two words: reads the rows of the product's layout, with SQL statements only. */

#include "searches.h"

#include <string.h>

enum { ROW = 8192, GROUP = 128, VERSION = 1, KIND_LIST = 0, KIND_TREE = 1, KIND_BLOCK = 2, MAXIMUM_BLOCKS = 128 };

/* The content of a row, of which a part is read. Bytes after the end may be read, and are ignored. */
typedef struct {
    uint8_t bytes[ROW + 8];
    const uint8_t *at, *end;
} reader;

static uint64_t number_at(reader *reader) {
    uint64_t number = 0;
    int shift = 0;
    do {
        REQUIRE(reader->at < reader->end && shift < 64);
        number |= (uint64_t)(*reader->at & 0x7f) << shift;
        shift += 7;
    } while (*reader->at++ & 0x80);
    return number;
}

/* Reads numbers, in groups with as many bits for each as the largest one needs; of an ascending list, from their gaps. */
static void numbers_at(reader *reader, int64_t *numbers, size_t count, bool is_ascending) {
    int64_t last = -1;
    size_t done = 0, i;
    while (done < count) {
        const size_t size = count - done < GROUP ? count - done : GROUP;
        const unsigned width = *reader->at++;
        const uint64_t mask = ((uint64_t)1 << width) - 1;
        REQUIRE(width <= 56 && reader->at + (size * width + 7) / 8 <= reader->end);
        for (i = 0; i < size; i++) {
            const size_t bit = i * width;
            uint64_t word;
            memcpy(&word, reader->at + bit / 8, sizeof word);
            word = word >> bit % 8 & mask;
            last = is_ascending ? last + (int64_t)word + 1 : (int64_t)word;
            numbers[done + i] = last;
        }
        reader->at += (size * width + 7) / 8;
        done += size;
    }
}

static void append_list(reader *reader, number_list *list) {
    const size_t count = number_at(reader);
    REQUIRE(list->count + count <= SEARCH_RESULTS);
    numbers_at(reader, list->numbers + list->count, count, true);
    list->count += count;
}

/* Opens a row of a word, and returns its kind. */
static uint8_t open_row(floor_searches *searches, const char *word, int64_t block, reader *reader) {
    const store_keys *keys = &searches->store->keys;
    sqlite3_stmt *read = store_statement(searches->store, POSTING_ROW,
                                         "SELECT sealed_block FROM postings"
                                         " WHERE container_id = ?1 AND owner = ?2 AND zone = 0 AND tag = ?3");
    uint8_t address[8 + 8 + 1 + SEARCH_WORD] = { 0 }, tag[FLOOR_ID], kind;
    sealed_place place = place_of(&keys->container_sealing, "postings", "sealed_block");
    size_t length;
    memcpy(address + 8, &block, sizeof block); /* after the zone, before the lane */
    memcpy(address + 17, word, SEARCH_WORD);
    make_record_tag(tag, keys, searches->database.owner, TAG_OF_POSTING, searches->text, address, sizeof address);
    place_add_number(&place, keys->container);
    place_add(&place, tag, FLOOR_ID);
    sqlite3_bind_int64(read, 1, keys->container);
    bind_bytes(read, 2, searches->database.owner, FLOOR_ID);
    bind_bytes(read, 3, tag, FLOOR_ID);
    REQUIRE(sqlite3_step(read) == SQLITE_ROW);
    length = (size_t)sqlite3_column_bytes(read, 0);
    REQUIRE(length <= ROW);
    reader->at = reader->bytes;
    reader->end = reader->at + unseal(&keys->container_sealing, &place, sqlite3_column_blob(read, 0), length, reader->bytes);
    sqlite3_reset(read);
    REQUIRE(reader->at[0] == VERSION);
    kind = reader->at[1];
    reader->at += 3;
    REQUIRE(number_at(reader) == (uint64_t)searches->text && number_at(reader) == (uint64_t)block);
    reader->at += 1 + *reader->at;
    return kind;
}

/* Adds numbers to a list that does not have them. */
static void add(number_list *list, const number_list *added) {
    size_t left = list->count, right = added->count, end = left + right;
    REQUIRE(end <= SEARCH_RESULTS);
    list->count = end;
    while (right > 0) {
        const bool isAdded = left == 0 || list->numbers[left - 1] < added->numbers[right - 1];
        list->numbers[--end] = isAdded ? added->numbers[--right] : list->numbers[--left];
    }
}

/* The numbers of the records that have a word. */
static void read_word(floor_searches *searches, const char *word, number_list *list) {
    number_list *added = &searches->lists[2];
    int64_t blocks[MAXIMUM_BLOCKS], sizes[MAXIMUM_BLOCKS];
    reader reader;
    uint8_t kind = open_row(searches, word, 0, &reader);
    size_t count, i;
    list->count = added->count = 0;
    (void)number_at(&reader); /* the next block */
    if (kind == KIND_LIST) {
        append_list(&reader, list);
        return;
    }
    REQUIRE(kind == KIND_TREE);
    (void)number_at(&reader);
    append_list(&reader, added); /* the first number of each block */
    count = added->count;
    REQUIRE(count <= MAXIMUM_BLOCKS);
    numbers_at(&reader, blocks, count, false);
    numbers_at(&reader, sizes, count, false);
    added->count = 0;
    append_list(&reader, added);
    REQUIRE(number_at(&reader) == 0); /* removed ones */
    for (i = 0; i < count; i++) {
        REQUIRE(open_row(searches, word, blocks[i], &reader) == KIND_BLOCK);
        append_list(&reader, list);
    }
    add(list, added);
}

/* Leaves the numbers that are in the other list too. */
static void intersect(number_list *list, const number_list *other) {
    size_t left = 0, right = 0, found = 0;
    while (left < list->count && right < other->count) {
        const int64_t a = list->numbers[left], b = other->numbers[right];
        list->numbers[found] = a;
        found += a == b;
        left += a <= b;
        right += b <= a;
    }
    list->count = found;
}

static number_list *find(floor_searches *searches, const char *few, const char *many) {
    read_word(searches, few, &searches->lists[0]);
    read_word(searches, many, &searches->lists[1]);
    intersect(&searches->lists[0], &searches->lists[1]);
    return &searches->lists[0];
}

size_t floor_searches_count(floor_searches *searches, const char *few, const char *many) {
    size_t found;
    store_do(searches->store->begin);
    found = find(searches, few, many)->count;
    store_do(searches->store->commit);
    return found;
}

size_t floor_searches_words(floor_searches *searches, const char *few, const char *many) {
    const number_list *found;
    size_t i;
    store_do(searches->store->begin);
    found = find(searches, few, many);
    for (i = 0; i < found->count; i++) search_open(searches, found->numbers[i]);
    store_do(searches->store->commit);
    return found->count;
}
