/* zones.h: a custom zone in the private database of a user. */

#ifndef ZONES_H
#define ZONES_H

#include "store.h"

/* The room for the content of a record, and where its name is: after its length. */
enum { ZONE_RECORD = 4096, ZONE_NAME_AT = 3 };

struct floor_zone {
    floor_store *store;
    uint8_t owner[FLOOR_ID];
    int64_t number;
    char name[256];
    sealing_key sealing;
};

/* The tag of a record's name. */
void zone_name_tag(const floor_zone *zone, uint8_t *tag, const void *name, size_t length);

/* Opens the content of a record into `content`, which has room for ZONE_RECORD bytes, and returns its length. */
size_t zone_open_record(const floor_zone *zone, const uint8_t *tag, int64_t type, const void *sealed, size_t length,
                        uint8_t *content);

#endif
