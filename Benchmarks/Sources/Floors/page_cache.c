/* page_cache.c: drops a file from the page cache, as if memory were full of other files. */

#include "floors.h"
#include "stop.h"

#include <fcntl.h>
#include <unistd.h>

void floor_drop_page_cache(const char *path) {
    int file = open(path, O_RDONLY);
    if (file < 0) return;
    /* Only pages that are on disk can be dropped. */
    REQUIRE(fdatasync(file) == 0);
    REQUIRE(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0);
    close(file);
}
