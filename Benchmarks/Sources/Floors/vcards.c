/* vcards.c: reads the addresses of a vCard file in its usual form, where lines with addresses are not folded. */

#include "address.h"
#include "stop.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { PIECE = 1 << 16, LONGEST_LINE = 1 << 12 };

/* The address of a line, if its property is EMAIL (`EMAIL;TYPE=…:`, `item1.EMAIL:`); NULL otherwise. */
static const char *address_of(const char *line, const char *end) {
    const char *colon, *dot;
    if (*line == ' ' || *line == '\t') return NULL; /* the rest of a folded line, such as a photo */
    colon = memchr(line, ':', (size_t)(end - line));
    if (colon == NULL) return NULL;
    dot = memchr(line, '.', (size_t)(colon - line));
    if (dot != NULL) line = dot + 1;
    if (colon - line < 5 || strncasecmp(line, "EMAIL", 5) != 0 || (line[5] != ':' && line[5] != ';')) return NULL;
    return colon + 1;
}

static void scan_line(floor_scan *scan, const char *line, const char *end) {
    const char *address = address_of(line, end);
    uint8_t hash[FLOOR_HASH];
    size_t i;
    if (address == NULL) return;
    REQUIRE(floor_contact_hash(address, (size_t)(end - address), hash));
    for (i = 0; i < FLOOR_HASH; i++) scan->hashes[i] ^= hash[i];
    scan->addresses++;
}

floor_scan floor_scan_vcards(const char *path) {
    static char buffer[LONGEST_LINE + PIECE];
    floor_scan scan = { 0 };
    size_t kept = 0; /* the beginning of a line whose end is in the next piece */
    ssize_t filled;
    int file = open(path, O_RDONLY);
    REQUIRE(file >= 0);
    while ((filled = read(file, buffer + kept, PIECE)) > 0) {
        const char *line = buffer, *end = buffer + kept + filled, *line_end;
        while ((line_end = memchr(line, '\n', (size_t)(end - line))) != NULL) {
            scan_line(&scan, line, line_end);
            line = line_end + 1;
        }
        kept = (size_t)(end - line);
        REQUIRE(kept <= LONGEST_LINE);
        memmove(buffer, line, kept);
    }
    REQUIRE(filled == 0);
    scan_line(&scan, buffer, buffer + kept);
    close(file);
    return scan;
}
