/* The index of a log, in memory that processes share (`-shm`), as one connection has it open. And what all files need. */

#ifndef CKINFOLK_SHM_H
#define CKINFOLK_SHM_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* Which file it is, whatever its name. */
struct identity {
    dev_t device;
    ino_t number;
};

bool identify(int descriptor, struct identity *identity);
bool is_at(struct identity identity, const char *path);

/* Whether there is no such file at the path, or another one. False if the path cannot be looked up, such as for a failure of a network. */
bool is_gone_from(struct identity identity, const char *path);

/* Opens a file with a descriptor above 2: a host that writes to its closed standard output would write into the store. */
int open_file(const char *path, int how, int mode);

/* Gives a new file the owner, the group and the mode of another file, as far as this process may. */
void give_like(int descriptor, const struct stat *other);

/* Sets or releases (F_UNLCK) an open-file-description lock, without waiting. On failure, errno says why. */
bool set_lock(int descriptor, int type, off_t first, off_t count);

struct shm {
    int descriptor; /* -1 if it is not open. */
    bool is_read_only;
    bool is_attached; /* Whether the lock is held that tells others that the index is in use. */
    unsigned shared, exclusive; /* The locks that this connection holds, as bits. */
    char *path;
    struct identity identity;
    void **maps; /* Each has `regions_per_map` regions. */
    int map_count, regions_per_map, region_size;
};

static inline bool shm_is_open(const struct shm *shm) { return shm->descriptor >= 0; }

int shm_open_beside(struct shm *shm, const char *database, int descriptor, bool is_read_only);
int shm_map(struct shm *shm, int region, int size, bool extends, void volatile **memory);
int shm_lock(struct shm *shm, int first, int count, int flags);
void shm_close(struct shm *shm, bool deletes);
bool shm_is_in_place(const struct shm *shm);
void shm_delete_if_in_place(const struct shm *shm);

#endif
