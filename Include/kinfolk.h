/*
 * kinfolk.h: the C API of Kinfolk, and its manual.
 *
 * Kinfolk gives a program user accounts and friend discovery without a server of its own: each person has a random
 * ID in each application, a metadata record on that ID, is found by others only after opting in, and finds friends
 * by the hashes of a contact book that the application never sees. Everything is kept in one SQLite file, or in a
 * PostgreSQL database.
 *
 *     cc friends.c $(pkg-config --cflags --libs kinfolk)
 *
 *
 * THE WORDS
 *
 *   service         one open store with its keys; the operator's handle
 *   account         a person: name, e-mail addresses. Known to the operator, never to an application
 *   container       one application's silo, named in reverse DNS. Nothing links one container to another
 *   session         one container seen by one account, or by nobody. All that an application may do
 *   user record ID  "_" and 32 lower-case hexadecimal digits: 128 random bits, a person's name in one container
 *   user record     the fields kept on that ID: one in the public database, one in the private database
 *   contact book    the caller's contacts, as hashes
 *   contact hash    SHA-256 of a canonical e-mail address (see kinfolk_email_canonicalize)
 *   permit          the right to ask about one contact not asked about before; the unit of the rate limit
 *   sync state      what a discovery hands back so that asking again is free
 *   directory       the index of the people who can be found in a container: of contact hashes, or a private one, which
 *                   is searched without showing it a contact; or both
 *   epoch           the time of one key of a private directory
 *
 *
 * THE MAIN JOB
 *
 *     kinfolk_service *service;
 *     kinfolk_container *notes;
 *     kinfolk_account *account;
 *     kinfolk_session *session;
 *     kinfolk_contacts *contacts;
 *     kinfolk_identities *friends;
 *
 *     if (kinfolk_service_open("kinfolk.db", NULL, &service) != KINFOLK_OK ||
 *         kinfolk_container_open(service, "com.example.notes", &notes) != KINFOLK_OK ||
 *         kinfolk_account_find_by_email(service, "ada@example.com", &account) != KINFOLK_OK ||
 *         kinfolk_session_open(notes, account, &session) != KINFOLK_OK ||
 *         kinfolk_contacts_new(&contacts) != KINFOLK_OK ||
 *         kinfolk_contacts_add_file(contacts, "contacts.vcf", NULL) != KINFOLK_OK ||
 *         kinfolk_discover_contacts(session, contacts, NULL, 0, &friends) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *     for (size_t i = 0; i < kinfolk_identities_count(friends); i++)
 *         printf("%s %s\n", kinfolk_identities_record_id(friends, i), kinfolk_identities_given_name(friends, i));
 *
 *
 * ERRORS
 *
 *   A function that can fail returns a kinfolk_status: KINFOLK_OK, which is 0, or what went wrong. Its outputs come
 *   last and are untouched when it fails. kinfolk_error_message() then says more, in one English sentence that never
 *   holds an address, a person's name or a key, so that it may be logged.
 *
 *   Any call may return
 *     KINFOLK_INVALID_ARGUMENT     a required argument is NULL, a text is not UTF-8, a path is empty, an enum has no
 *                                  such value;
 *     KINFOLK_LIMIT_EXCEEDED       bytes are longer than 2,147,483,647;
 *     KINFOLK_SERVICE_UNAVAILABLE  the store is held by another process for longer than the wait, the disk is full,
 *                                  reading or writing it failed, its server cannot be reached or was lost, the system has
 *                                  no thread to give, or the handle was opened before a fork;
 *     KINFOLK_STORE_CORRUPT        the store is damaged;
 *     KINFOLK_INTERNAL_ERROR       a fault of Kinfolk, or no memory.
 *   The description of a function lists the others. Nothing that a caller passes through this API ends the process,
 *   a pointer to memory that is not the caller's and a freed handle excepted.
 *
 *   A function that cannot fail returns its value. Given NULL or an index out of range it returns NULL, 0 or what is
 *   said there.
 *
 *
 * OWNERSHIP
 *
 *   Handles are opaque. Each kind has a function that ends in _free, which takes NULL. Handles may be freed in any
 *   order: a session keeps its container and its service open for as long as it lives.
 *
 *   const char * results are borrowed: they live as long as the handle that gave them. char ** outputs are the
 *   caller's: end them with kinfolk_free. So are uint8_t ** outputs. Texts are NUL-terminated UTF-8. A path is
 *   NUL-terminated bytes, which need not be UTF-8; the address of a server is a text. Bytes are a
 *   pointer and a length.
 *   What a caller passes in is copied before the call returns.
 *
 *
 * THREADS
 *
 *   A handle may be used from any thread. A const handle may be used from several threads at once. Functions that
 *   take a handle without const change that handle: these calls wait for each other, so nothing breaks, but what two
 *   threads write at once lands in either order. Free a handle when no other thread uses it any more.
 *   The message of the last failure is kept for each thread.
 *
 *   After fork() the child must open a service of its own. Calls that work with inherited handles fail in the child
 *   with KINFOLK_SERVICE_UNAVAILABLE; what they hold in memory can be read, and freeing them is allowed and leaves the
 *   parent's store alone. fork() waits until the calls under way in other threads have ended their transactions.
 *
 *
 * DURABILITY
 *
 *   A call that changed something and returned KINFOLK_OK has it on disk: it survives the end of the process and the
 *   loss of power. A call that failed has changed nothing, with six exceptions, which say so: a wrong code counts as a
 *   try; a look-up that found nobody is in the audit log; an import of people keeps the accounts made until then; a
 *   rotation of the keys, a copy to another place and the deletion of a container are resumed by the next call. And if
 *   the server of a store was lost while it kept a change, nobody knows: kinfolk_error_in_doubt().
 */

#ifndef KINFOLK_H
#define KINFOLK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. kinfolk_version_number() is that of the library. */
#define KINFOLK_VERSION "0.1.0"
#define KINFOLK_VERSION_NUMBER 1000 /* major * 1,000,000 + minor * 1,000 + patch */

/* Sizes, in bytes. */
#define KINFOLK_KEY_LENGTH 32          /* a service key */
#define KINFOLK_CONTACT_HASH_LENGTH 32 /* a contact hash */
#define KINFOLK_PUBLIC_KEY_LENGTH 32   /* a public key of a private directory */
#define KINFOLK_FILLER_SECRET_LENGTH 32 /* by what a private client makes its fillers */

/* Opaque handles. */
typedef struct kinfolk_service kinfolk_service;
typedef struct kinfolk_account kinfolk_account;
typedef struct kinfolk_accounts kinfolk_accounts;
typedef struct kinfolk_people_import kinfolk_people_import;
typedef struct kinfolk_audit kinfolk_audit;
typedef struct kinfolk_check kinfolk_check;
typedef struct kinfolk_emails kinfolk_emails;
typedef struct kinfolk_claims kinfolk_claims;
typedef struct kinfolk_erasure kinfolk_erasure;
typedef struct kinfolk_container kinfolk_container;
typedef struct kinfolk_containers kinfolk_containers;
typedef struct kinfolk_statistics kinfolk_statistics;
typedef struct kinfolk_blocks kinfolk_blocks;
typedef struct kinfolk_session kinfolk_session;
typedef struct kinfolk_blocked kinfolk_blocked;
typedef struct kinfolk_record kinfolk_record;
typedef struct kinfolk_contacts kinfolk_contacts;
typedef struct kinfolk_import kinfolk_import;
typedef struct kinfolk_identities kinfolk_identities;
typedef struct kinfolk_private_epochs kinfolk_private_epochs;
typedef struct kinfolk_private_client kinfolk_private_client;

/* What became of a call. The numbers never change and are never used again for something else. */
typedef enum kinfolk_status {
    KINFOLK_OK = 0,
    KINFOLK_INVALID_ARGUMENT = 1,      /* malformed, out of range or contradictory: asking again will not help */
    KINFOLK_UNKNOWN_ITEM = 2,          /* no such account, container, record, field, address, code, file or store */
    KINFOLK_NOT_AUTHENTICATED = 3,     /* nobody is signed in, or the account is suspended or erased */
    KINFOLK_PERMISSION_FAILURE = 4,    /* not this account's to do, or the file system refused */
    KINFOLK_SERVER_RECORD_CHANGED = 5, /* the record was saved in between: see kinfolk_error_take_server_record */
    KINFOLK_LIMIT_EXCEEDED = 6,        /* more than can ever be taken at once: send it in parts */
    KINFOLK_REQUEST_RATE_LIMITED = 7,  /* too often for now: see kinfolk_error_retry_after */
    KINFOLK_CONFLICT = 8,              /* it exists already */
    KINFOLK_SERVICE_UNAVAILABLE = 9,   /* the store cannot be reached for now */
    KINFOLK_KEY_MISMATCH = 10,         /* the key is missing, or is not the one that this store was made with */
    KINFOLK_STORE_CORRUPT = 11,        /* the file is not a Kinfolk store, or is damaged */
    KINFOLK_INTERNAL_ERROR = 12,       /* a fault of Kinfolk itself, or no memory */
    KINFOLK_CANCELLED = 13             /* a kinfolk_progress_fn of the caller's ended the call */
} kinfolk_status;


/* ---- Library ---------------------------------------------------------------------------------------------------- */

/* The library's version, as "0.1.0". */
const char *kinfolk_version(void);

/* The library's version, to be compared with KINFOLK_VERSION_NUMBER. */
uint32_t kinfolk_version_number(void);

/* A status as a word, "serverRecordChanged" for example; "unknown" for a number that is none. Never NULL. */
const char *kinfolk_status_name(kinfolk_status status);

/* What the last failed call on this thread has to say. Never NULL; empty before the first failure. It lives until
 * the next call that fails on this thread. A call that succeeds leaves it as it is. */
const char *kinfolk_error_message(void);

/* How many seconds to wait, when the last failure on this thread was KINFOLK_REQUEST_RATE_LIMITED; otherwise 0. */
double kinfolk_error_retry_after(void);

/* Whether the call that failed last on this thread may have been done all the same: with KINFOLK_SERVICE_UNAVAILABLE, when
 * the server of a store was lost before it said whether it kept a change. Look whether it did before you try again. */
bool kinfolk_error_in_doubt(void);

/* The record that the service holds, when the last failure on this thread was KINFOLK_SERVER_RECORD_CHANGED;
 * otherwise NULL. It is the caller's, to be ended with kinfolk_record_free; a second call returns NULL. */
kinfolk_record *kinfolk_error_take_server_record(void);

/* Frees what a char ** or uint8_t ** output gave. NULL is allowed. All of its bytes, as many as were given, are overwritten
 * with zeros first, whatever they are by then. Never use free() on an output, or kinfolk_free on other memory: the length is
 * kept before the first byte. A pointer that is no output, or was freed before, ends the process where it is noticed. */
void kinfolk_free(void *memory);


/* ---- Service ---------------------------------------------------------------------------------------------------- */

/* How to open a store. Start from KINFOLK_OPEN_OPTIONS_INIT: later versions of this struct grow at its end, and
 * `version` tells which fields the caller knows. */
typedef struct kinfolk_open_options {
    uint32_t version;       /* 3; 1 and 2 without the fields that say so */
    bool existing_only;     /* false: make the store, and its key file, if there is none */
    const char *key_file;   /* NULL: beside the store, with .key for its .db ("kinfolk.db" has "kinfolk.key") */
    const uint8_t *key;     /* a service key from elsewhere (a KMS, a keychain) instead of a key file, or NULL */
    size_t key_length;      /* KINFOLK_KEY_LENGTH, or 0 without a key */
    double wait;            /* seconds to wait for other writers: 0 for the default of 30, negative for not at all */
    const char *passphrase; /* instead of a key: it is derived from this text by Argon2id (RFC 9106); or NULL */
    int64_t page_cache;     /* bytes of the store that each connection keeps in memory: one that writes, and one for each
                             * thread that reads at the same time. 0 for the default of 2 MiB, negative for next to none.
                             * Of a store on a server, nothing */
    int64_t directory_filters; /* most bytes for the filters of directories, about 1.5 for each person who can be found.
                                * 0 for the default of 64 MiB, negative for no filters */
    bool require_locked_memory; /* from version 2. Fail where the system does not lock a key in memory, so that it could be
                                 * swapped to a disk. From then on it counts for the whole process */
    bool read_only; /* from version 3. Change nothing: no byte of the store, its folder or its key. Calls that would write, and
                     * discovery by contacts and addresses, which spends permits, fail with KINFOLK_PERMISSION_FAILURE. No
                     * store is made. The store may be on media that cannot be written, may belong to another user who
                     * lets this one read it, and may be written by others meanwhile */
} kinfolk_open_options;

#define KINFOLK_OPEN_OPTIONS_INIT { 3, false, NULL, NULL, 0, 0.0, NULL, 0, 0, false, false }

/* Opens the store in the file `path`, and makes it, with a new key, if there is none. `options` may be NULL.
 *
 * A key file, a store and the files beside it (-wal, -shm, -journal) are refused if they belong to another user than the
 * process's effective one and root: somebody may have planted them. A process of root also takes those of another user from
 * a folder that belongs to that user and to which nobody else may write, but from no other.
 *
 * A key file is made with mode 0600 and is refused if anybody else may read or write it. Whoever loses it loses the
 * store: keep a copy apart from the copies of the store. A store takes any number of processes and threads at once.
 * A key and a passphrase are copied to memory that is locked and zeroed after; the caller may wipe its own. A
 * passphrase takes about a second and 256 MiB; an empty one is refused.
 *
 * `path` may also be the address of a PostgreSQL database (docs/scaling.md). A server has no place beside it, so the key
 * must be given, by key_file, key or passphrase: without it, and with a malformed address, it is
 * KINFOLK_INVALID_ARGUMENT. A server that cannot be reached, refuses or has no such database, and a missing libpq.so.5, are
 * KINFOLK_SERVICE_UNAVAILABLE. A server on another machine must have a certificate for its name (sslmode=verify-full), unless
 * sslmode in the address, PGSSLMODE or a service file says otherwise. Other users may see an address that is given on a
 * command line: keep its password in a file (PGPASSFILE, or a service file).
 *
 * A directory of 10,000 rows or more gets a filter, in the background, when a book of 100 contacts or more is first
 * searched for in it: it answers for most contacts that lead to nobody without a look at the store. Whom a block hides
 * takes a look, which somebody who can time the call to a microsecond may notice. Other searches never use it.
 *
 *   KINFOLK_UNKNOWN_ITEM         there is no such store, with existing_only; or the folder of the store or of the key
 *                                file is missing
 *   KINFOLK_KEY_MISMATCH         the key file is missing, malformed, readable by others or another user's, or the key is
 *                                another's
 *   KINFOLK_STORE_CORRUPT        the file is not a Kinfolk store; it is an older state of the store than the one that
 *                                was used with this key file last: see kinfolk_store_accept_older; or there is a log
 *                                (-wal) beside it that is another file's, since a backup was put there by hand: see
 *                                kinfolk_store_restore
 *   KINFOLK_INVALID_ARGUMENT     the store was made by a newer Kinfolk; more than one of key, key file and
 *                                passphrase is given; the passphrase is empty; key_length does not fit the key; the
 *                                wait is not a number; `version` is unknown; the path begins with ":" or "file:",
 *                                which SQLite would not take for a file
 *   KINFOLK_SERVICE_UNAVAILABLE  the store is a copy that kinfolk_service_copy has not finished; a key cannot be locked in
 *                                memory, with require_locked_memory
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process read and write the store, or read or make
 *                                the key file; or the store is another user's */
kinfolk_status kinfolk_service_open(const char *path, const kinfolk_open_options *options, kinfolk_service **service);

/* Whether all keys of this process are in memory that the system has locked, so that they are never swapped to a disk. It
 * locks no more than RLIMIT_MEMLOCK. False for NULL. */
bool kinfolk_service_is_key_memory_locked(const kinfolk_service *service);

/* Accepts an older state of a store as the present one, after it came back in another way than by kinfolk_store_restore:
 * a disk was restored, say.
 *
 * A count of changes is kept in the store, and beside its key file in a file ending in .counter. It goes up at most once a
 * minute after changes, and when a service is freed. A store with a lower count than the one beside the key is refused by
 * kinfolk_service_open: somebody may have put back an older file. This gives the store a new count, and changes nothing
 * else. A key that is in no file has no count beside it, nor has a folder that cannot be written: then an older store is not
 * recognised.
 *
 * Of `options` the key and the wait count. `was_older`, which may be NULL, gets whether the store was older: if it was not,
 * nothing is changed. It fails as kinfolk_service_open does with existing_only. */
kinfolk_status kinfolk_store_accept_older(const char *path, const kinfolk_open_options *options, bool *was_older);

/* Told how far long work is: `done` of `total`, in the unit that the function says. It returns true to go on. False ends
 * the call soon, with KINFOLK_CANCELLED: calling again resumes a rotation, a copy to another place, work on
 * directories, the deletion of a container and an import of people, and of a back-up nothing stays. It runs on the calling thread, and may use the service. It must not fork:
 * fork() would wait for the very call that waits for it. */
typedef bool (*kinfolk_progress_fn)(uint64_t done, uint64_t total, void *context);

/* Restores a backup to the file `path`. The call copies the backup, checks the copy as kinfolk_service_check does, and then
 * replaces the store in one step, or makes it if the file is missing. It removes the old store's log, and accepts the state of
 * the backup as the present one. The backup itself is not changed. If the call is interrupted, the old store or the new one
 * is there, complete. What was changed after the backup was made is lost: people who were erased are back.
 *
 * `backup` is a file that kinfolk_service_back_up made, or a copy of a store that nobody had open. Of `options`, which may be
 * NULL, the key (of the moment when the backup was made) and the wait count, which is for others who have the store open; 0 is
 * 5 seconds.
 * `replace_other` allows to replace a store of which this is no backup. `progress` is told of bytes that are copied, and
 * then of rows that are checked; it may be NULL. If it ends the call, nothing was changed.
 *
 *   KINFOLK_STORE_CORRUPT        the backup is damaged, or is no store
 *   KINFOLK_SERVICE_UNAVAILABLE  somebody has the store open, or the backup; or the disk is full
 *   KINFOLK_CONFLICT             there is another store or file, without replace_other
 *   KINFOLK_KEY_MISMATCH         the key is missing, or is not the one of the backup
 *   KINFOLK_UNKNOWN_ITEM         there is no such backup, or the folder of the store is missing
 *   KINFOLK_PERMISSION_FAILURE   the file system refuses, or the store is another user's
 *   KINFOLK_INVALID_ARGUMENT     the store is on a server (use pg_restore, or kinfolk_service_copy); the backup is the
 *                                store itself; or as for kinfolk_service_open */
kinfolk_status kinfolk_store_restore(const char *path, const char *backup, const kinfolk_open_options *options,
                                     bool replace_other, kinfolk_progress_fn progress, void *context);

/* What kinfolk_service_check finds. The numbers never change. */
typedef enum kinfolk_finding {
    KINFOLK_FINDING_DAMAGED = 0,    /* the file is damaged, or a row has a form that nobody writes */
    KINFOLK_FINDING_SEALED = 1,     /* a sealed value does not open */
    KINFOLK_FINDING_CHANGED = 2,    /* a row was changed without the key */
    KINFOLK_FINDING_MISSING = 3,    /* a row is missing that follows from others */
    KINFOLK_FINDING_UNEXPECTED = 4, /* a row belongs to nothing */
    KINFOLK_FINDING_DIFFERENT = 5,  /* a row says something else than what it follows from */
    KINFOLK_FINDING_MISCOUNTED = 6  /* a count is not that of the rows */
} kinfolk_finding;

/* Checks the whole store as it is at one moment, while others use it: that the file is sound, that every sealed value opens,
 * that every row that is authenticated is the one that was written, and that the directories hold the people who can be
 * found, and nobody else. It reads every row, in bounded memory, and changes nothing. `progress` is told of rows; it may be
 * NULL.
 *
 * That something is wrong is no failure: see the findings. They name tables, and no person, address or key. Each kind is there
 * once for each table, with how often it was found; the table "" is the file. Texts are borrowed.
 *
 *   KINFOLK_STORE_CORRUPT        it cannot even be said what the keys are */
kinfolk_status kinfolk_service_check(const kinfolk_service *service, kinfolk_progress_fn progress, void *context,
                                     kinfolk_check **check);
bool kinfolk_check_is_sound(const kinfolk_check *check);
uint64_t kinfolk_check_rows(const kinfolk_check *check);
size_t kinfolk_check_finding_count(const kinfolk_check *check);
const char *kinfolk_check_finding_table(const kinfolk_check *check, size_t index);
kinfolk_finding kinfolk_check_finding_kind(const kinfolk_check *check, size_t index);
uint64_t kinfolk_check_finding_times(const kinfolk_check *check, size_t index);
void kinfolk_check_free(kinfolk_check *check);

/* What a rotation of keys because of a leak ends, or cannot undo: a sum of these. */
#define KINFOLK_ROTATION_PINNED_CLIENTS 1u      /* clients with only older public keys refuse the private directory */
#define KINFOLK_ROTATION_PAID_CONTACTS 2u       /* contacts of private discoveries cost permits once more */
#define KINFOLK_ROTATION_SYNC_STATES 4u         /* sync states from before count as none */
#define KINFOLK_ROTATION_VERIFICATION_CODES 8u  /* codes that were issued before are refused */
#define KINFOLK_ROTATION_BUCKET_KEY_STAYS 16u   /* who has it computes as many bits of an address as clients tell */

/* Changes the service key and all keys below it: everything in the store is sealed and indexed anew, while it is in use
 * by this and other processes. Private directories get new keys too: the announced ones, if there are any. All calls
 * give the same answers meanwhile. Call it again to resume an interrupted rotation. `progress` is told of accounts,
 * and then of people for private directories; it may be NULL.
 *
 * With `is_leaked` the old key is taken for known to somebody else. Then it opens the new ones at no moment, services in
 * other processes read the new key from its key file at once, the old epochs of private directories end when the new
 * ones are complete, and sync states and verification codes from before are void. `consequences` gets what is to be
 * known of it, a sum of the numbers above; 0 after a planned rotation, in which sync states stay valid and old epochs
 * answer until kinfolk_container_end_private_epochs. It may be NULL.
 *
 * `new_key` says where the new key comes from (its key_file, which is made if there is none, key or passphrase; the
 * rest is not looked at). With NULL the key file is replaced by one with a new key, and the old one is kept beside it:
 * `old_key_file` then gets its path, to be ended with kinfolk_free; otherwise NULL. `old_key_file` may be NULL.
 *
 * In a planned rotation the store opens with either key until the end. Copies of the store that were made before need
 * the old one for ever. A service in another process that made no call all the while reads the new key from its key file; if the host gave the
 * key, its calls then fail with KINFOLK_KEY_MISMATCH, and it must be opened anew.
 *
 *   KINFOLK_INVALID_ARGUMENT     new_key is the present key, or names none, or is malformed as for
 *                                kinfolk_service_open; or it is NULL, and the present key is in no file
 *   KINFOLK_UNKNOWN_ITEM         the folder of the key file is missing
 *   KINFOLK_PERMISSION_FAILURE   the key file may not be read, or not be made there
 *   KINFOLK_KEY_MISMATCH         the key file of new_key is malformed, or readable by others
 *   KINFOLK_CONFLICT             a planned rotation is under way, and the key leaked: finish it first
 *   KINFOLK_STORE_CORRUPT        something does not open or belongs to nobody; nothing is lost, and both keys stay
 *                                needed */
kinfolk_status kinfolk_service_rotate_keys(const kinfolk_service *service, const kinfolk_open_options *new_key,
                                           bool is_leaked, kinfolk_progress_fn progress, void *context,
                                           char **old_key_file, uint32_t *consequences);

/* Copies the store, as it is at one moment, into the new file `path`, while it is in use. `progress` is told of pages;
 * it may be NULL. The key is not in the copy: keep it apart. What is erased later stays in the copy. To restore it,
 * call kinfolk_store_restore: put in the place of the store by hand, it might come beside that one's log (-wal).
 *
 *   KINFOLK_CONFLICT             there is a file of this name
 *   KINFOLK_UNKNOWN_ITEM         its folder is missing
 *   KINFOLK_INVALID_ARGUMENT     the store is on a server: see kinfolk_service_copy, or pg_dump
 *   KINFOLK_PERMISSION_FAILURE   it may not be made there */
kinfolk_status kinfolk_service_back_up(const kinfolk_service *service, const char *path, kinfolk_progress_fn progress,
                                       void *context);

/* Copies the store, as it is at one moment, to another place while it is in use: `destination` is a file to make, or the
 * address of a PostgreSQL database. All that is sealed stays as it is: the key of this service opens the copy. Rows are
 * read again when all are written, and compared by number and checksum; before that nobody can open the copy.
 *
 * Called again it goes on where it was interrupted, or brings a copy that nobody has opened yet up to date. `progress` is
 * told of rows, three times from the start: of those compared (`total` is 0, not known), written and read again; it may
 * be NULL.
 *
 *   KINFOLK_CONFLICT             there is a store that is no copy of this one, or that was opened; or somebody else has
 *                                begun to make the same copy
 *   KINFOLK_UNKNOWN_ITEM         its folder is missing
 *   KINFOLK_INVALID_ARGUMENT     it is no place for a store, as for kinfolk_service_open
 *   KINFOLK_SERVICE_UNAVAILABLE  as for any call, of either place; its server refused, or has no such database
 *   KINFOLK_PERMISSION_FAILURE   it may not be made there
 *   KINFOLK_STORE_CORRUPT        something else is there, or what was read again is not what was written: call again */
kinfolk_status kinfolk_service_copy(const kinfolk_service *service, const char *destination,
                                    kinfolk_progress_fn progress, void *context);

/* The audit log: each use of kinfolk_container_find_account, in order, with numbers above `after` (0 for all), at most
 * `limit`. The container, the moment (microseconds since 1970-01-01 00:00 UTC), the user record ID that was looked up
 * and the reason that was given; both are NULL once that account is erased. Texts are borrowed. */
kinfolk_status kinfolk_service_audit_log(const kinfolk_service *service, int64_t after, size_t limit,
                                         kinfolk_audit **audit);
size_t kinfolk_audit_count(const kinfolk_audit *audit);
int64_t kinfolk_audit_number(const kinfolk_audit *audit, size_t index);
int64_t kinfolk_audit_noted_at(const kinfolk_audit *audit, size_t index);
const char *kinfolk_audit_container(const kinfolk_audit *audit, size_t index);
const char *kinfolk_audit_record_id(const kinfolk_audit *audit, size_t index);
const char *kinfolk_audit_reason(const kinfolk_audit *audit, size_t index);
void kinfolk_audit_free(kinfolk_audit *audit);

/* Closes the service, once the last of the handles that came from it is freed too. Permits that it held ready for
 * single look-ups go back to the store then, if it can be written within the wait. At exit() they go back too, of all services
 * that are open. Those of a process that is killed come back by themselves within two minutes. */
void kinfolk_service_free(kinfolk_service *service);


/* ---- E-mail addresses ------------------------------------------------------------------------------------------- */

/* The canonical form of an address: white space around it removed; the local part by PRECIS UsernameCaseMapped
 * (RFC 8265); the domain by IDNA2008 and UTS #46, non-transitional, as A-labels. At most 254 bytes.
 * docs/canonical-email.md has the rules and test vectors. End `canonical` with kinfolk_free.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address that Kinfolk takes */
kinfolk_status kinfolk_email_canonicalize(const char *email, char **canonical);

/* The contact hash of an address: SHA-256 of its canonical form. `hash` has KINFOLK_CONTACT_HASH_LENGTH bytes.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address that Kinfolk takes */
kinfolk_status kinfolk_email_hash(const char *email, uint8_t *hash);


/* ---- Account (for the operator) --------------------------------------------------------------------------------- */

/* Makes an account. Names are at most 1,024 bytes each and may be empty.
 *
 *   KINFOLK_LIMIT_EXCEEDED       a name is longer than that */
kinfolk_status kinfolk_account_create(const kinfolk_service *service, const char *given_name, const char *family_name,
                                      kinfolk_account **account);

/* Opens the account with this ID.
 *
 *   KINFOLK_INVALID_ARGUMENT     an account ID is 32 lower-case hexadecimal digits
 *   KINFOLK_UNKNOWN_ITEM         there is no such account */
kinfolk_status kinfolk_account_open(const kinfolk_service *service, const char *id, kinfolk_account **account);

/* Opens the account that has this address, verified. An address that is not verified belongs to nobody.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         no account has it verified */
kinfolk_status kinfolk_account_find_by_email(const kinfolk_service *service, const char *email,
                                             kinfolk_account **account);

/* Opens the account that has this address, verified; if none has, makes an account with the address, for which the host
 * vouches as in kinfolk_account_add_email. So sign a person in by an address that is proved to be theirs. The names are those
 * of an account that is made; an account that exists keeps its own. If several processes call this at the same time, one of them
 * makes the account, and all get it. `is_new`, which may be NULL, gets whether this call made it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_LIMIT_EXCEEDED       a name is longer than 1,024 bytes */
kinfolk_status kinfolk_account_find_or_create(const kinfolk_service *service, const char *email,
                                              const char *given_name, const char *family_name,
                                              kinfolk_account **account, bool *is_new);

/* The IDs of all accounts, in their order: at most `limit` after the ID `after`, which is NULL for the first page. Texts are
 * borrowed.
 *
 *   KINFOLK_INVALID_ARGUMENT     an account ID is 32 lower-case hexadecimal digits */
kinfolk_status kinfolk_service_accounts(const kinfolk_service *service, const char *after, size_t limit,
                                        kinfolk_accounts **accounts);
size_t kinfolk_accounts_count(const kinfolk_accounts *accounts);
const char *kinfolk_accounts_id(const kinfolk_accounts *accounts, size_t index);
void kinfolk_accounts_free(kinfolk_accounts *accounts);

/* The account's ID, 32 hexadecimal digits: the operator's name for a person. Never give it to an application. */
const char *kinfolk_account_id(const kinfolk_account *account);

/* The account's name as it is now. End both texts with kinfolk_free. Either output may be NULL.
 *
 *   KINFOLK_UNKNOWN_ITEM         the account was erased (so for all functions of this section) */
kinfolk_status kinfolk_account_get_name(const kinfolk_account *account, char **given_name, char **family_name);

/* Changes the account's name, in all that others discover too.
 *
 *   KINFOLK_LIMIT_EXCEEDED       a name is longer than 1,024 bytes */
kinfolk_status kinfolk_account_set_name(const kinfolk_account *account, const char *given_name,
                                        const char *family_name);

/* How an address becomes an account's
 *
 * An address counts once it is verified: the host vouches for it (kinfolk_account_add_email), or the person brings back a
 * code that the host mailed to it (kinfolk_account_request_verification, kinfolk_account_verify_email). If another account
 * has the address verified, neither moves it: both open a claim, which is given back in `claim`. The host then mails a
 * notice to all addresses of kinfolk_claims_notice, all verified ones of the owner, and says so with
 * kinfolk_service_acknowledge_notice. From then on the owner has 24 hours (kinfolk_service_set_claim_wait) and more to
 * refuse, by a code that is mailed to the disputed address: kinfolk_account_refuse_claims. If the owner does not refuse, the
 * claimant proves the address again within 7 days after the wait, by the same calls and with a new code, and it is theirs.
 * If the claimant proves it in spite of a refusal, the claim is disputed, and the operator decides:
 * kinfolk_service_transfer_email for the claimant, kinfolk_service_dismiss_claim for the owner. Nothing moves before the
 * notice is acknowledged: after a restart, kinfolk_service_claims finds claims in KINFOLK_CLAIM_AWAITING_NOTICE.
 *
 * A mail with a code may say:
 *
 *     Your code for Notes is ABCD-EFGH. It is valid for 10 minutes. If you did not ask for it, ignore this mail.
 *     If you ask for another mail and none comes: enter the pass 0123-4567-89AB-CDEF as well.
 *
 * and a notice:
 *
 *     Somebody with another account in Notes reads the mails to ada@example.com, and claims this address. If that is not
 *     you, sign in and refuse by tomorrow. If it is, do nothing: the address moves to the other account.
 *
 * Codes and passes are written in groups of four; letter case, hyphens and spaces do not matter, O is read as 0, I and L as
 * 1. Let only the browser that asked for a code enter it, so that nobody else uses up its five tries. */

/* What a code is for. It works for that alone. */
typedef enum kinfolk_code_purpose {
    KINFOLK_CODE_ADD_EMAIL = 1,   /* to prove an address that the account does not have verified */
    KINFOLK_CODE_SIGN_IN = 2,     /* to sign in by an address that the account has verified */
    KINFOLK_CODE_REFUSE_CLAIM = 3 /* to refuse the claims on an address that the account has verified */
} kinfolk_code_purpose;

/* How far a claim has come. */
typedef enum kinfolk_claim_state {
    KINFOLK_CLAIM_AWAITING_NOTICE = 1, /* nothing moves before the notice is acknowledged; it lapses after 30 days */
    KINFOLK_CLAIM_WAITING = 2,         /* the owner may refuse */
    KINFOLK_CLAIM_COMPLETABLE = 3,     /* the claimant may prove the address again, for 7 days; the owner may still refuse */
    KINFOLK_CLAIM_REFUSED = 4,         /* by the owner: for 30 days the claimant cannot claim the address again */
    KINFOLK_CLAIM_DISPUTED = 5,        /* both proved the address: the operator decides */
    KINFOLK_CLAIM_DISMISSED = 6        /* by the operator: for 30 days the claimant cannot claim the address again */
} kinfolk_claim_state;

/* Adds an address. With `verified` the host vouches that it is this person's: it counts at once, unless another account has
 * it verified. Adding an address again keeps what is there, and proves it if `verified` is true. An account has at most 100
 * addresses. `claim` gets the claim that this call opened, or an earlier claim of this account on the address; without a claim
 * it gets NULL. The pointer itself may be NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_LIMIT_EXCEEDED       the account has 100 addresses already */
kinfolk_status kinfolk_account_add_email(const kinfolk_account *account, const char *email, bool verified,
                                         kinfolk_claims **claim);

/* Requests a code for an address of the account, which the host mails to it. It has 40 random bits, works for this account,
 * address and purpose, is valid for 10 minutes and 5 tries, and replaces the one before. End `code` and `next_pass` with
 * kinfolk_free.
 *
 * An address gets 5 mails in 24 hours, whichever accounts request them, so that nobody guesses more than 25 times. When they
 * are used up, both outputs are NULL: show the same page as if a mail had been sent. Any code then counts as a wrong one, so
 * nobody can tell what others do. Each mail has a pass, `next_pass`: presented as `pass` (or NULL) with a request for the
 * same address within 24 hours, by any account and for any purpose, it buys a mail that does not count. So nobody who does
 * not read the mails can lock out a person who does.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         the account does not have this address; to refuse: no claim on it can be refused
 *   KINFOLK_CONFLICT             to add: the account has it verified already; otherwise: it does not
 *   KINFOLK_REQUEST_RATE_LIMITED this account made 5 requests for the address in 24 hours, or 20 for all its addresses:
 *                                kinfolk_error_retry_after() says when the next may be. A pass lifts this limit too */
kinfolk_status kinfolk_account_request_verification(const kinfolk_account *account, const char *email,
                                                    kinfolk_code_purpose purpose, const char *pass, char **code,
                                                    char **next_pass);

/* Proves an address with the code that was mailed to it. From then on it counts, and `claim` is NULL, unless another account
 * has it verified: then `claim` gets the claim, to be ended with kinfolk_claims_free. The calls for a purpose of their own,
 * kinfolk_account_confirm_sign_in and kinfolk_account_refuse_claims, fail in the same ways.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         the account does not have this address, or no valid code was requested for it
 *   KINFOLK_PERMISSION_FAILURE   this is not the code; it counts as a try
 *   KINFOLK_LIMIT_EXCEEDED       the code was tried five times: request another */
kinfolk_status kinfolk_account_verify_email(const kinfolk_account *account, const char *email, const char *code,
                                            kinfolk_claims **claim);

/* Whether this is the code that was mailed to an address of the account for KINFOLK_CODE_SIGN_IN. The host signs the person
 * in. */
kinfolk_status kinfolk_account_confirm_sign_in(const kinfolk_account *account, const char *email, const char *code);

/* Refuses all claims on an address of the account, with a code that was mailed to it for KINFOLK_CODE_REFUSE_CLAIM. For 30
 * days a claimant who was refused cannot claim the address, and no claim on it by anybody moves it without the operator.
 * `claims` gets those that were refused; it may be NULL.
 *
 *   KINFOLK_UNKNOWN_ITEM         also: no claim on it can be refused any more */
kinfolk_status kinfolk_account_refuse_claims(const kinfolk_account *account, const char *email, const char *code,
                                             kinfolk_claims **claims);

/* The claims that the account made, then those against it. Do not tell one person who the other is. */
kinfolk_status kinfolk_account_claims(const kinfolk_account *account, kinfolk_claims **claims);

/* All claims, in the order of their IDs: at most `limit` after the ID `after`, which is NULL for the first page.
 *
 *   KINFOLK_INVALID_ARGUMENT     a claim ID is 32 lower-case hexadecimal digits (so for all functions that take one) */
kinfolk_status kinfolk_service_claims(const kinfolk_service *service, const char *after, size_t limit,
                                      kinfolk_claims **claims);

/* A list of claims as they were when it was made. Texts are borrowed. Moments are in microseconds since 1970-01-01 00:00 UTC,
 * and 0 while they are not known. _address is the disputed address as its owner spelled it; _notice has all verified
 * addresses of the owner, to which the host mails the notice. */
size_t kinfolk_claims_count(const kinfolk_claims *claims);
const char *kinfolk_claims_id(const kinfolk_claims *claims, size_t index);
const char *kinfolk_claims_address(const kinfolk_claims *claims, size_t index);
const char *kinfolk_claims_owner_id(const kinfolk_claims *claims, size_t index);    /* the account that has it */
const char *kinfolk_claims_claimant_id(const kinfolk_claims *claims, size_t index); /* the account that claims it */
kinfolk_claim_state kinfolk_claims_state(const kinfolk_claims *claims, size_t index); /* 0 past the end */
int64_t kinfolk_claims_opened_at(const kinfolk_claims *claims, size_t index);
int64_t kinfolk_claims_noticed_at(const kinfolk_claims *claims, size_t index);
int64_t kinfolk_claims_completable_at(const kinfolk_claims *claims, size_t index);
size_t kinfolk_claims_notice_count(const kinfolk_claims *claims, size_t index);
const char *kinfolk_claims_notice(const kinfolk_claims *claims, size_t index, size_t recipient);
void kinfolk_claims_free(kinfolk_claims *claims);

/* Says that the notice of a claim was mailed. The wait begins now; if it has begun before, nothing changes.
 *
 *   KINFOLK_UNKNOWN_ITEM         there is no such claim (any more) */
kinfolk_status kinfolk_service_acknowledge_notice(const kinfolk_service *service, const char *claim_id);

/* Decides a claim for the owner. For 30 days the claimant cannot claim the address, and no claim on it by anybody moves it
 * without the operator.
 *
 *   KINFOLK_UNKNOWN_ITEM         there is no such claim (any more) */
kinfolk_status kinfolk_service_dismiss_claim(const kinfolk_service *service, const char *claim_id);

/* Gives an address to an account at once, verified, whichever account has it now: the one call that needs no proof, notice
 * and wait. The account that had it loses it. It is added to `account` if that does not have it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address; the account is of another service
 *   KINFOLK_LIMIT_EXCEEDED       the account has 100 addresses already */
kinfolk_status kinfolk_service_transfer_email(const kinfolk_service *service, const char *email,
                                              const kinfolk_account *account);

/* For how many seconds an owner can refuse a claim after the notice: 86,400 unless changed. A change holds for notices that
 * are acknowledged from then on.
 *
 *   KINFOLK_INVALID_ARGUMENT     _set: it is negative, more than 30 days or not a number */
kinfolk_status kinfolk_service_claim_wait(const kinfolk_service *service, double *seconds);
kinfolk_status kinfolk_service_set_claim_wait(const kinfolk_service *service, double seconds);

/* Lets people find the account by this address, or not. Every address starts with true; it takes effect where the
 * account has granted discoverability.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         the account does not have this address */
kinfolk_status kinfolk_account_set_email_discoverable(const kinfolk_account *account, const char *email,
                                                      bool discoverable);

/* Removes an address.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         the account does not have this address */
kinfolk_status kinfolk_account_remove_email(const kinfolk_account *account, const char *email);

/* The account's addresses as they are now, in the order in which they were added. */
kinfolk_status kinfolk_account_emails(const kinfolk_account *account, kinfolk_emails **emails);
size_t kinfolk_emails_count(const kinfolk_emails *emails);
const char *kinfolk_emails_address(const kinfolk_emails *emails, size_t index); /* as it was spelled */
bool kinfolk_emails_is_verified(const kinfolk_emails *emails, size_t index);
bool kinfolk_emails_is_discoverable(const kinfolk_emails *emails, size_t index);
void kinfolk_emails_free(kinfolk_emails *emails);

/* Suspends the account: its sessions become KINFOLK_ACCOUNT_RESTRICTED, and no discovery finds it any more. */
kinfolk_status kinfolk_account_suspend(const kinfolk_account *account);

/* Ends the suspension. What the person had granted holds again. */
kinfolk_status kinfolk_account_resume(const kinfolk_account *account);

/* Whether the account is suspended now. */
kinfolk_status kinfolk_account_is_suspended(const kinfolk_account *account, bool *suspended);

/* Everything that is held about the account, as JSON. End `json` with kinfolk_free. */
kinfolk_status kinfolk_account_export(const kinfolk_account *account, char **json);

/* Erases the account and everything held about it, in one transaction. `erasure` tells what was removed, or is NULL.
 * The handle stays, to be freed; its functions then return KINFOLK_UNKNOWN_ITEM. */
kinfolk_status kinfolk_account_erase(const kinfolk_account *account, kinfolk_erasure **erasure);
size_t kinfolk_erasure_email_count(const kinfolk_erasure *erasure);
size_t kinfolk_erasure_container_count(const kinfolk_erasure *erasure);
size_t kinfolk_erasure_record_count(const kinfolk_erasure *erasure);

/* For how many of the account's addresses limits remember what was spent with them, so that nobody has it to spend again
 * who comes back with the same address, and until when, in microseconds since 1970-01-01 00:00 UTC: at most 30 days. 0 and 0
 * if nothing is remembered. Neither the address nor the account can be read from it. */
size_t kinfolk_erasure_remembered_email_count(const kinfolk_erasure *erasure);
int64_t kinfolk_erasure_remembered_until(const kinfolk_erasure *erasure);
/* Until when the mails that the account requested in the last 24 hours are counted, in microseconds since 1970-01-01 00:00
 * UTC; 0 if there were none. That is kept by the addresses alone, sealed, so that erasing an account resets no limit; and so
 * is, for 30 days, that a claim on an address was refused. */
int64_t kinfolk_erasure_mails_count_until(const kinfolk_erasure *erasure);

/* Whether the store's write-ahead log may still hold what was erased, because a reader holds it. It is then emptied
 * after one of the next writes of this service, or when the last process closes the store. What was erased is
 * overwritten in the store's file; random IDs and sealed bytes may remain in gaps of its pages until they are used. */
bool kinfolk_erasure_is_pending(const kinfolk_erasure *erasure);
void kinfolk_erasure_free(kinfolk_erasure *erasure);

void kinfolk_account_free(kinfolk_account *account);


/* ---- Container (for the operator) ------------------------------------------------------------------------------- */

/* Makes a container. Its name is in reverse DNS, "com.example.notes": two or more labels of ASCII letters, digits and
 * inner hyphens, 255 bytes at most. Letter case matters.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not such a name
 *   KINFOLK_CONFLICT             there is one with this name */
kinfolk_status kinfolk_container_create(const kinfolk_service *service, const char *name,
                                        kinfolk_container **container);

/* Opens a container.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name
 *   KINFOLK_UNKNOWN_ITEM         there is none with this name */
kinfolk_status kinfolk_container_open(const kinfolk_service *service, const char *name, kinfolk_container **container);

/* Opens the container with this name, and makes it if it does not exist. If several processes call this at the same time, one
 * of them makes the container, and all get it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name
 *   KINFOLK_CONFLICT             the container with this name is being deleted: see kinfolk_container_delete */
kinfolk_status kinfolk_container_open_or_create(const kinfolk_service *service, const char *name,
                                                kinfolk_container **container);

/* Deletes the container with this name and everything in it: user record IDs, user records, consents and their wordings, blocks,
 * directories and their keys, limits and what was spent of them, the schema, and counts of activity. The accounts stay, with
 * what they have in other containers. Entries of the audit log stay, without the user record IDs and the reasons.
 *
 * From then on all handles of the container and its sessions return KINFOLK_UNKNOWN_ITEM, in all processes, and the account
 * status of a session is KINFOLK_ACCOUNT_NO_ACCOUNT. A container that many people use is deleted in several transactions; from the
 * first one on nobody can use it. Call it again to resume an interrupted deletion: until that is finished the name cannot be
 * used for another container. A container that is made with the name later is a new one: people have other user record IDs
 * there, have decided nothing, and have spent no permits.
 *
 * `progress` is told of people; it may be NULL. `people` gets how many people this call removed; `is_pending`, whether the
 * store's write-ahead log may still hold what was deleted, as in kinfolk_erasure_is_pending. Either may be NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name
 *   KINFOLK_UNKNOWN_ITEM         there is none with this name */
kinfolk_status kinfolk_container_delete(const kinfolk_service *service, const char *name, kinfolk_progress_fn progress,
                                        void *context, size_t *people, bool *is_pending);

/* The names of all containers, in their order. Texts are borrowed. */
kinfolk_status kinfolk_service_containers(const kinfolk_service *service, kinfolk_containers **containers);
size_t kinfolk_containers_count(const kinfolk_containers *containers);
const char *kinfolk_containers_name(const kinfolk_containers *containers, size_t index);
void kinfolk_containers_free(kinfolk_containers *containers);

/* All functions of a container or of its sessions return KINFOLK_UNKNOWN_ITEM once the container is deleted. */
const char *kinfolk_container_name(const kinfolk_container *container);

/* Changes the rate limit of discovery in the container: each person holds at most `capacity` permits (20,000 unless
 * changed; at least 1) and gains `per_hour` an hour (10 unless changed). A person without a verified e-mail address holds at
 * most `unverified_capacity` (100 unless changed; more than `capacity` counts as `capacity`). What a person has spent is
 * kept, so a new limit gives no spent permit back.
 *
 *   KINFOLK_INVALID_ARGUMENT     capacity is 0, or per_hour is negative, infinite or not a number */
kinfolk_status kinfolk_container_set_permits(const kinfolk_container *container, uint32_t capacity, double per_hour,
                                             uint32_t unverified_capacity);

/* The rate limit as it is now. Each output may be NULL. */
kinfolk_status kinfolk_container_permits(const kinfolk_container *container, uint32_t *capacity, double *per_hour,
                                         uint32_t *unverified_capacity);

/* Says how many permits a person has left, rounded down. What other processes hold ready for the person, 64 at most each and
 * for two minutes at most, counts as spent.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container */
kinfolk_status kinfolk_container_permits_left(const kinfolk_container *container, const char *record_id,
                                              uint32_t *permits);

/* Sets how many permits a person has left: more for somebody who has spent them on a bad import say, or none. _top_up_permits
 * gives as many as the person can hold. Both also replace what the person's addresses keep of spent permits. What other
 * processes have spent in the last minutes, and not written yet, still counts afterwards.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID
 *   KINFOLK_LIMIT_EXCEEDED       the person can hold fewer: raise the limit first (kinfolk_container_set_permits)
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container */
kinfolk_status kinfolk_container_set_permits_left(const kinfolk_container *container, const char *record_id,
                                                  uint32_t permits);
kinfolk_status kinfolk_container_top_up_permits(const kinfolk_container *container, const char *record_id);

/* Changes how much work each person may cause a day by private discovery in the container: how many multiplications of
 * points, and how many rows of the directory are read, with one for each bucket asked for, whether or not they are sent.
 * A row that is sent has 48 bytes. 0 stands for what follows from the permits, as in a new container: 8 multiplications
 * and 400 rows for each permit that a person may hold, but at least 8,000,000 rows. A person without a verified address
 * has as large a part of the multiplications as of the permits, and a quarter of the rows. */
kinfolk_status kinfolk_container_set_private_work(const kinfolk_container *container, uint64_t multiplications_per_day,
                                                  uint64_t rows_per_day);

/* The limit of that work as it was set: 0 stands for what follows from the permits. Each output may be NULL. */
kinfolk_status kinfolk_container_private_work(const kinfolk_container *container, uint64_t *multiplications_per_day,
                                              uint64_t *rows_per_day);

/* Changes how many new fields each person may add to the container's schema (50 unless changed). 0 leaves that to the
 * operator: see kinfolk_container_add_field. */
kinfolk_status kinfolk_container_set_field_limit(const kinfolk_container *container, uint32_t fields);

/* How many new fields each person may add, as it is now. */
kinfolk_status kinfolk_container_field_limit(const kinfolk_container *container, uint32_t *fields);

/* Opens the account behind a user record ID, when there is a report of abuse say. Each call leaves an entry in the
 * audit log, on disk before the answer, also when nobody has the ID. `reason` says why in 1 to 1,024 bytes, a ticket's
 * number for example. No session leads from an ID to an account.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID; the reason is empty
 *   KINFOLK_LIMIT_EXCEEDED       the reason is longer than that
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container */
kinfolk_status kinfolk_container_find_account(const kinfolk_container *container, const char *record_id,
                                              const char *reason, kinfolk_account **account);

/* The operator's block: neither of two people finds the other any more. They do not see it and cannot end it.
 * _unblock ends it; their own blocks stay. Both do nothing when it is so already, whichever of the two comes first.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID, or both are the same */
kinfolk_status kinfolk_container_block(const kinfolk_container *container, const char *record_id,
                                       const char *other_record_id);
kinfolk_status kinfolk_container_unblock(const kinfolk_container *container, const char *record_id,
                                         const char *other_record_id);

/* The operator's blocks, each pair once: at most `limit`, after the pair `after_record_id` and `after_other_record_id`, which
 * are the last ones of the page before, or both NULL for the first page. Not those that people made. Texts are borrowed.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID */
kinfolk_status kinfolk_container_blocks(const kinfolk_container *container, const char *after_record_id,
                                        const char *after_other_record_id, size_t limit, kinfolk_blocks **blocks);
size_t kinfolk_blocks_count(const kinfolk_blocks *blocks);
const char *kinfolk_blocks_record_id(const kinfolk_blocks *blocks, size_t index);
const char *kinfolk_blocks_other_record_id(const kinfolk_blocks *blocks, size_t index);
void kinfolk_blocks_free(kinfolk_blocks *blocks);

/* The container in numbers, as of one moment. It reads the whole container, which takes seconds for a million people; others
 * go on meanwhile. */
kinfolk_status kinfolk_container_statistics(const kinfolk_container *container, kinfolk_statistics **statistics);

/* How many people have a user record ID; of these, how many granted to be found, denied it, and were never asked; how many can
 * be found now, because they granted it and are not suspended; and how many are suspended. */
uint64_t kinfolk_statistics_people(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_granted(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_denied(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_undetermined(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_discoverable(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_suspended(const kinfolk_statistics *statistics);

/* How many people have spent permits that have not all grown back; how many permits those lack to be full, with those that a
 * service holds ready for them; and how many people would be refused a discovery of one new contact now. */
uint64_t kinfolk_statistics_people_who_asked(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_permits_spent(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_people_without_permits(const kinfolk_statistics *statistics);

/* How many blocks people made, how many the operator made, and how many look-ups of accounts the audit log has. */
uint64_t kinfolk_statistics_blocks_by_people(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_blocks_by_operator(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_account_lookups(const kinfolk_statistics *statistics);

/* Each of the last 400 days on which something was asked, in order: when it began (microseconds since 1970-01-01 00:00 UTC), how
 * many discoveries were answered, and how many were refused because permits were missing. What other services have not
 * written yet is missing. */
size_t kinfolk_statistics_activity_count(const kinfolk_statistics *statistics);
int64_t kinfolk_statistics_activity_day(const kinfolk_statistics *statistics, size_t index);
uint64_t kinfolk_statistics_activity_discoveries(const kinfolk_statistics *statistics, size_t index);
uint64_t kinfolk_statistics_activity_refusals(const kinfolk_statistics *statistics, size_t index);

/* Each day on which it changed how many people had opted in, in order: when it began, and how many had at its end. */
size_t kinfolk_statistics_opted_in_count(const kinfolk_statistics *statistics);
int64_t kinfolk_statistics_opted_in_day(const kinfolk_statistics *statistics, size_t index);
uint64_t kinfolk_statistics_opted_in_people(const kinfolk_statistics *statistics, size_t index);
void kinfolk_statistics_free(kinfolk_statistics *statistics);

/* Makes an account for each person in the CSV file `path`, signs it in to the container, and keeps what the person decided
 * about being found there. The first row names the columns given_name, family_name, email and consent, of which email must
 * be there. Several addresses in a cell are separated by " ::: ". The host vouches for the addresses. A consent is yes, no or
 * empty. `consent_text` and `consent_version` are the wording that the people were shown, as in
 * kinfolk_session_set_discoverability: a file with a consent column needs both, and without one they may be NULL.
 *
 * Nobody loses an address: a person with one that an account has already is skipped and reported. So run an interrupted
 * import again. `progress` is told of rows, at least every half second while there is something to read; `total` is an
 * estimate until the end, and 0 if the size of the file is not known; it may be NULL. `report` may be NULL.
 *
 *   KINFOLK_UNKNOWN_ITEM         there is no such file
 *   KINFOLK_INVALID_ARGUMENT     it is no file of people; it has consents, and no wording is given; the wording or its
 *                                version is empty
 *   KINFOLK_LIMIT_EXCEEDED       the wording or its version is too long
 *   KINFOLK_PERMISSION_FAILURE   the file may not be read
 * Accounts that were made until then stay. */
kinfolk_status kinfolk_container_import_people(const kinfolk_container *container, const char *path,
                                               const char *consent_text, const char *consent_version,
                                               kinfolk_progress_fn progress, void *context,
                                               kinfolk_people_import **report);

/* How many rows were read; how many accounts were made; how many of their people granted to be found, denied it, and have not
 * decided; and how many rows, or addresses of rows, were skipped. */
size_t kinfolk_people_import_rows(const kinfolk_people_import *report);
size_t kinfolk_people_import_created(const kinfolk_people_import *report);
size_t kinfolk_people_import_granted(const kinfolk_people_import *report);
size_t kinfolk_people_import_denied(const kinfolk_people_import *report);
size_t kinfolk_people_import_undetermined(const kinfolk_people_import *report);
size_t kinfolk_people_import_skipped(const kinfolk_people_import *report);

/* The first 1,000 that were skipped: the line where the row begins, from 1; the reason as a word that stays the same from
 * version to version, "addressTaken" for example; and the reason as a sentence, without any content of the file. */
size_t kinfolk_people_import_skip_count(const kinfolk_people_import *report);
size_t kinfolk_people_import_skip_line(const kinfolk_people_import *report, size_t index);
const char *kinfolk_people_import_skip_name(const kinfolk_people_import *report, size_t index);
const char *kinfolk_people_import_skip_reason(const kinfolk_people_import *report, size_t index);
void kinfolk_people_import_free(kinfolk_people_import *report);

/* Removes a field from the container's schema, and its values from every user record. Its name may then be used with
 * another type.
 *
 *   KINFOLK_UNKNOWN_ITEM         the schema has no such field */
kinfolk_status kinfolk_container_remove_field(const kinfolk_container *container, const char *field);

void kinfolk_container_free(kinfolk_container *container);


/* ---- Session ---------------------------------------------------------------------------------------------------- */

/* Whether the account behind a session may be used. */
typedef enum kinfolk_account_status {
    KINFOLK_ACCOUNT_COULD_NOT_DETERMINE = 0, /* the store cannot be reached */
    KINFOLK_ACCOUNT_AVAILABLE = 1,
    KINFOLK_ACCOUNT_RESTRICTED = 2, /* suspended */
    KINFOLK_ACCOUNT_NO_ACCOUNT = 3  /* nobody is signed in, or the account was erased, or the container deleted */
} kinfolk_account_status;

/* Whether others may find a person in a container. */
typedef enum kinfolk_discoverability {
    KINFOLK_DISCOVERABILITY_UNDETERMINED = 0, /* never asked */
    KINFOLK_DISCOVERABILITY_GRANTED = 1,
    KINFOLK_DISCOVERABILITY_DENIED = 2
} kinfolk_discoverability;

/* Signs an account in to a container. Its first session there makes its user record ID and its two user records.
 *
 *   KINFOLK_INVALID_ARGUMENT     account and container are of two services
 *   KINFOLK_NOT_AUTHENTICATED    the account was erased, or it is suspended and never used this container */
kinfolk_status kinfolk_session_open(const kinfolk_container *container, const kinfolk_account *account,
                                    kinfolk_session **session);

/* Opens a session without an account. It may read public user records, and nothing else. */
kinfolk_status kinfolk_session_open_anonymous(const kinfolk_container *container, kinfolk_session **session);

/* The status of the account, read afresh. Fails for a NULL only: a store that cannot be reached is a status. */
kinfolk_status kinfolk_session_account_status(const kinfolk_session *session, kinfolk_account_status *status);

/* The person's user record ID in this container. The text is the session's.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_user_record_id(const kinfolk_session *session, const char **id);

/* What the person decided about being found in this container.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_discoverability(const kinfolk_session *session,
                                               kinfolk_discoverability *discoverability);

/* Stores what the person decided, say in the application's settings. A discovery that begins after a revocation
 * returned does not find the person. The moment, `consent_text` (the wording that the person was shown, at most
 * 16,384 bytes) and `consent_version` (the application's name for that wording, at most 255 bytes) are kept as the
 * proof of consent. Neither may be NULL or, with KINFOLK_DISCOVERABILITY_GRANTED, empty.
 *
 *   KINFOLK_INVALID_ARGUMENT     neither granted nor denied; no wording with a grant
 *   KINFOLK_LIMIT_EXCEEDED       the wording or its version is too long
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_set_discoverability(const kinfolk_session *session,
                                                   kinfolk_discoverability discoverability, const char *consent_text,
                                                   const char *consent_version);

/* Shows `consent_text` to the person and returns what they answered: granted, denied, or undetermined for a prompt
 * that was closed unanswered. It runs on the thread that asked. */
typedef kinfolk_discoverability (*kinfolk_prompt_fn)(const char *consent_text, void *context);

/* Asks the person through `prompt`, once: as soon as there is an answer, later calls return it without asking.
 * The answer is kept as in kinfolk_session_set_discoverability, and fails as there; an answer that is none of the three
 * is KINFOLK_INVALID_ARGUMENT, and so is an empty text or version, whatever the answer. */
kinfolk_status kinfolk_session_request_discoverability(const kinfolk_session *session, const char *consent_text,
                                                       const char *consent_version, kinfolk_prompt_fn prompt,
                                                       void *context, kinfolk_discoverability *discoverability);

/* How many permits the person has left in this container: how many new contacts they may ask about now.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous */
kinfolk_status kinfolk_session_permits_left(const kinfolk_session *session, double *permits);

/* Blocks somebody in this container: from now on neither finds the other, by whatever they search. Nobody can tell
 * whether they are blocked. Records can still be fetched by those who have their ID. An ID that nobody has can be
 * blocked too. A person blocks at most 10,000. _unblock ends a block of this person's own. Both do nothing when it is
 * so already.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID; _block: it is the person's own
 *   KINFOLK_LIMIT_EXCEEDED       10,000 are blocked
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_block(const kinfolk_session *session, const char *record_id);
kinfolk_status kinfolk_session_unblock(const kinfolk_session *session, const char *record_id);

/* Whom this person blocked, in the order of the IDs: not who blocked them, nor what the operator blocked. Texts are
 * borrowed.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_blocked(const kinfolk_session *session, kinfolk_blocked **blocked);
size_t kinfolk_blocked_count(const kinfolk_blocked *blocked);
const char *kinfolk_blocked_record_id(const kinfolk_blocked *blocked, size_t index);
void kinfolk_blocked_free(kinfolk_blocked *blocked);

/* Everything that this container holds about the person, as JSON, for the application to hand to them: user record ID, the
 * name under which others find them here (null unless they can be found), both user records, every decision about
 * discoverability, whom they blocked, and what they spent of limits, in whole numbers. Nothing in it leads to the account,
 * to another container or to an address, and nothing is of what the operator did: that is in kinfolk_account_export. A
 * suspended account has it too. End `json` with kinfolk_free.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_export(const kinfolk_session *session, char **json);

/* Called after the account behind a session changed: suspended, resumed, erased, its name, its addresses, its consent
 * in this container. It runs on a thread of the service, one call at a time; several changes may give one call.
 * Changes made by another process are told within about a second. */
typedef void (*kinfolk_account_changed_fn)(void *context);

/* Registers `changed`, in the place of the one before; NULL ends it. When this call returns, and when
 * kinfolk_session_free does, the one before is not running and will not run again, unless the call comes from inside
 * of it.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous */
kinfolk_status kinfolk_session_on_account_changed(kinfolk_session *session, kinfolk_account_changed_fn changed,
                                                  void *context);

void kinfolk_session_free(kinfolk_session *session);


/* ---- User record ------------------------------------------------------------------------------------------------ */

typedef enum kinfolk_database {
    KINFOLK_DATABASE_PUBLIC = 0, /* read by everybody in the container who has the ID, written by its own user */
    KINFOLK_DATABASE_PRIVATE = 1 /* read and written by its own user */
} kinfolk_database;

/* The type of a field. A list holds values of one type: its number is that of the type, plus 16. */
typedef enum kinfolk_field_type {
    KINFOLK_STRING = 1,
    KINFOLK_INT64 = 2,
    KINFOLK_DOUBLE = 3,
    KINFOLK_BOOLEAN = 4,
    KINFOLK_BYTES = 5,
    KINFOLK_DATE = 6,      /* microseconds since 1970-01-01 00:00 UTC, leap seconds not counted */
    KINFOLK_LOCATION = 7,  /* latitude -90 to 90 and longitude -180 to 180, in degrees, WGS 84 */
    KINFOLK_REFERENCE = 8, /* a user record ID of this container */
    KINFOLK_STRING_LIST = 17,
    KINFOLK_INT64_LIST = 18,
    KINFOLK_DOUBLE_LIST = 19,
    KINFOLK_BOOLEAN_LIST = 20,
    KINFOLK_BYTES_LIST = 21,
    KINFOLK_DATE_LIST = 22,
    KINFOLK_LOCATION_LIST = 23,
    KINFOLK_REFERENCE_LIST = 24
} kinfolk_field_type;

/* Adds a field to a container's schema, for the operator. Otherwise the first user who saves a field of a new name adds it:
 * see kinfolk_container_set_field_limit. kinfolk_container_remove_field removes it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is no name or no type of a field
 *   KINFOLK_CONFLICT             the schema has a field of this name already
 *   KINFOLK_LIMIT_EXCEEDED       it has 1,000 fields */
kinfolk_status kinfolk_container_add_field(const kinfolk_container *container, const char *field,
                                           kinfolk_field_type type);

/* What to do when somebody saved the record since it was fetched. Fields that this record does not hold stay as they
 * are on the server in each of the three, unless they were removed with kinfolk_record_remove. */
typedef enum kinfolk_save_policy {
    KINFOLK_SAVE_IF_UNCHANGED = 0, /* fail with KINFOLK_SERVER_RECORD_CHANGED */
    KINFOLK_SAVE_CHANGED_KEYS = 1, /* write the fields that were set or removed here */
    KINFOLK_SAVE_ALL_KEYS = 2      /* write all fields of this record */
} kinfolk_save_policy;

/* Fetches the user record with this ID, or the session's own if `id` is NULL. A record handle is a copy: it does not
 * change when the store does.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID
 *   KINFOLK_UNKNOWN_ITEM         there is none in this container; in the private database: it is somebody else's
 *   KINFOLK_NOT_AUTHENTICATED    own or private record: the session is anonymous, or its account was erased;
 *                                private record: the account is suspended */
kinfolk_status kinfolk_record_fetch(const kinfolk_session *session, const char *id, kinfolk_database database,
                                    kinfolk_record **record);

/* Saves the fields of a record, and then gives the handle the change tag, the times and the fields of the server.
 *
 *   KINFOLK_NOT_AUTHENTICATED     the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE    it is somebody else's record
 *   KINFOLK_UNKNOWN_ITEM          the record is not of this container
 *   KINFOLK_SERVER_RECORD_CHANGED the change tag is stale: see kinfolk_error_take_server_record
 *   KINFOLK_INVALID_ARGUMENT      a field has another type in this container: a type is fixed by a field's first use
 *   KINFOLK_LIMIT_EXCEEDED        the record is larger than 1 MB: 1,000,000 bytes of field names and values,
 *                                 and 4 for each text or bytes in a list; or the container has 1,000 fields */
kinfolk_status kinfolk_record_save(const kinfolk_session *session, kinfolk_record *record,
                                   kinfolk_save_policy policy);

const char *kinfolk_record_id(const kinfolk_record *record);
kinfolk_database kinfolk_record_database(const kinfolk_record *record);

/* What tells one state of the record from another: an opaque text. Borrowed, also after the record was saved. */
const char *kinfolk_record_change_tag(const kinfolk_record *record);

/* When the record was created and last saved, in microseconds since 1970-01-01 00:00 UTC, and by whom (user record
 * IDs: always its own user's). Of the creation, which is the person's first session in the container, only the day is
 * kept: its first moment. A record that was never saved was last saved then. */
int64_t kinfolk_record_created_at(const kinfolk_record *record);
int64_t kinfolk_record_modified_at(const kinfolk_record *record);
const char *kinfolk_record_created_by(const kinfolk_record *record);
const char *kinfolk_record_modified_by(const kinfolk_record *record);

/* The fields, in the order of their names (by bytes). */
size_t kinfolk_record_field_count(const kinfolk_record *record);
const char *kinfolk_record_field_name(const kinfolk_record *record, size_t index);

/* A field's type.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field */
kinfolk_status kinfolk_record_field_type(const kinfolk_record *record, const char *name, kinfolk_field_type *type);

/* Set a field, in the handle only: kinfolk_record_save stores it. A field's name has 1 to 255 ASCII letters, digits and
 * "_", and starts with a letter.
 *
 *   KINFOLK_INVALID_ARGUMENT     the name is malformed; a location is out of range or not a number; a reference is not
 *                                a user record ID
 *   KINFOLK_LIMIT_EXCEEDED       the value alone is larger than 1 MB; or the record has 1,000 other fields */
kinfolk_status kinfolk_record_set_string(kinfolk_record *record, const char *name, const char *value);
kinfolk_status kinfolk_record_set_int64(kinfolk_record *record, const char *name, int64_t value);
kinfolk_status kinfolk_record_set_double(kinfolk_record *record, const char *name, double value);
kinfolk_status kinfolk_record_set_boolean(kinfolk_record *record, const char *name, bool value);
kinfolk_status kinfolk_record_set_bytes(kinfolk_record *record, const char *name, const uint8_t *bytes,
                                        size_t length);
kinfolk_status kinfolk_record_set_date(kinfolk_record *record, const char *name, int64_t microseconds);
kinfolk_status kinfolk_record_set_location(kinfolk_record *record, const char *name, double latitude,
                                           double longitude);
kinfolk_status kinfolk_record_set_reference(kinfolk_record *record, const char *name, const char *user_record_id);

/* Set a field to a list. `count` may be 0, and the arrays NULL then. They fail as those for one value do; more than
 * 1,000,000 values are KINFOLK_LIMIT_EXCEEDED. */
kinfolk_status kinfolk_record_set_string_list(kinfolk_record *record, const char *name, const char *const *values,
                                              size_t count);
kinfolk_status kinfolk_record_set_int64_list(kinfolk_record *record, const char *name, const int64_t *values,
                                             size_t count);
kinfolk_status kinfolk_record_set_double_list(kinfolk_record *record, const char *name, const double *values,
                                              size_t count);
kinfolk_status kinfolk_record_set_boolean_list(kinfolk_record *record, const char *name, const bool *values,
                                               size_t count);
kinfolk_status kinfolk_record_set_bytes_list(kinfolk_record *record, const char *name, const uint8_t *const *values,
                                             const size_t *lengths, size_t count);
kinfolk_status kinfolk_record_set_date_list(kinfolk_record *record, const char *name, const int64_t *microseconds,
                                            size_t count);
kinfolk_status kinfolk_record_set_location_list(kinfolk_record *record, const char *name, const double *latitudes,
                                                const double *longitudes, size_t count);
kinfolk_status kinfolk_record_set_reference_list(kinfolk_record *record, const char *name,
                                                 const char *const *user_record_ids, size_t count);

/* Get a field's value, or one value of a list. A field that is no list has one value, at index 0. Texts and bytes
 * belong to the record, also after the field was set anew.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field, or the list no such index
 *   KINFOLK_INVALID_ARGUMENT     the field is of another type */
kinfolk_status kinfolk_record_get_string(const kinfolk_record *record, const char *name, size_t index,
                                         const char **value);
kinfolk_status kinfolk_record_get_int64(const kinfolk_record *record, const char *name, size_t index, int64_t *value);
kinfolk_status kinfolk_record_get_double(const kinfolk_record *record, const char *name, size_t index, double *value);
kinfolk_status kinfolk_record_get_boolean(const kinfolk_record *record, const char *name, size_t index, bool *value);
kinfolk_status kinfolk_record_get_bytes(const kinfolk_record *record, const char *name, size_t index,
                                        const uint8_t **bytes, size_t *length);
kinfolk_status kinfolk_record_get_date(const kinfolk_record *record, const char *name, size_t index,
                                       int64_t *microseconds);
kinfolk_status kinfolk_record_get_location(const kinfolk_record *record, const char *name, size_t index,
                                           double *latitude, double *longitude);
kinfolk_status kinfolk_record_get_reference(const kinfolk_record *record, const char *name, size_t index,
                                            const char **user_record_id);

/* How many values a field has: 1, or the length of its list.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field */
kinfolk_status kinfolk_record_get_count(const kinfolk_record *record, const char *name, size_t *count);

/* Removes a field from the handle; kinfolk_record_save then removes it from the store.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field */
kinfolk_status kinfolk_record_remove(kinfolk_record *record, const char *name);

void kinfolk_record_free(kinfolk_record *record);


/* ---- Contacts --------------------------------------------------------------------------------------------------- */

/* Makes an empty contact book. It holds hashes and labels, never an address, and at most 1,000,000 contacts. A contact
 * is one address: a card with three addresses makes three. An address within a label is left out, so "Ada
 * <ada@example.com>" becomes "Ada". It needs no service. */
kinfolk_status kinfolk_contacts_new(kinfolk_contacts **contacts);

/* Adds one address. `label` is what discovery hands back with it, a name for example, at most 1,024 bytes; it may be
 * NULL. It stays in the book.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_LIMIT_EXCEEDED       the label is longer than that; or the book would have more than 1,000,000 contacts (so
 *                                for all functions that add, and then none is added) */
kinfolk_status kinfolk_contacts_add_email(kinfolk_contacts *contacts, const char *email, const char *label);

/* Adds a contact hash: 32 bytes, or 64 hexadecimal digits. `label` is as above.
 *
 *   KINFOLK_INVALID_ARGUMENT     it is neither
 *   KINFOLK_LIMIT_EXCEEDED       as above */
kinfolk_status kinfolk_contacts_add_hash(kinfolk_contacts *contacts, const uint8_t *hash, size_t length,
                                         const char *label);

/* Add many at once. `report` tells what was added and what was skipped, or is NULL. What cannot be used is skipped and
 * counted; the rest is added. UTF-8, or UTF-16 with a byte-order mark; a value that is neither is read as Windows-1252.
 *
 *   _text   addresses, or contact hashes in hexadecimal, one a line or with commas or semicolons between; "Name <address>"
 *           gives a label
 *   _vcard  vCard 2.1, 3.0 and 4.0 (RFC 6350), as phones and mail programs export it; labels from FN or N
 *   _csv    a table, as Google Contacts, Outlook and Thunderbird export it in any language: every cell that is an
 *           address counts
 *   _ldif   LDIF (RFC 2849), as Thunderbird and directory servers export it: addresses from mail, mozillaSecondEmail and
 *           attributes like them; labels from cn, displayName, or givenName and sn
 *   _jcard  jCard (RFC 7095), vCards as JSON: one, an array of them, or JSON with them in it
 *   _file   a file of any of these kinds, told apart by its content and read in pieces. It is a list (_text) if nearly all
 *           of its lines are addresses or hashes
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not of that kind at all; the path leads to a folder. For a file of a kind that
 *                                people try and that cannot be read, a calendar or a spreadsheet for example, the message
 *                                says what it is and what to export instead
 *   KINFOLK_UNKNOWN_ITEM         there is no such file
 *   KINFOLK_PERMISSION_FAILURE   the file may not be read */
kinfolk_status kinfolk_contacts_add_text(kinfolk_contacts *contacts, const char *text, size_t length,
                                         kinfolk_import **report);
kinfolk_status kinfolk_contacts_add_vcard(kinfolk_contacts *contacts, const char *text, size_t length,
                                          kinfolk_import **report);
kinfolk_status kinfolk_contacts_add_csv(kinfolk_contacts *contacts, const char *text, size_t length,
                                        kinfolk_import **report);
kinfolk_status kinfolk_contacts_add_ldif(kinfolk_contacts *contacts, const char *text, size_t length,
                                         kinfolk_import **report);
kinfolk_status kinfolk_contacts_add_jcard(kinfolk_contacts *contacts, const char *text, size_t length,
                                          kinfolk_import **report);
kinfolk_status kinfolk_contacts_add_file(kinfolk_contacts *contacts, const char *path, kinfolk_import **report);

/* What an import did: contacts added; entries (cards, entries of LDIF, rows, lines) read; entries without an e-mail address, which is no
 * fault; entries or addresses skipped. The first 1,000 of the skipped are listed: the line where each begins, from 1,
 * and why, in one sentence that never holds content. */
size_t kinfolk_import_added(const kinfolk_import *report);
size_t kinfolk_import_entries(const kinfolk_import *report);
size_t kinfolk_import_without_email(const kinfolk_import *report);
size_t kinfolk_import_skipped(const kinfolk_import *report);
size_t kinfolk_import_skip_count(const kinfolk_import *report);
size_t kinfolk_import_skip_line(const kinfolk_import *report, size_t index);
const char *kinfolk_import_skip_reason(const kinfolk_import *report, size_t index);
void kinfolk_import_free(kinfolk_import *report);

/* The contacts of a book, in the order in which they were added. The label is borrowed, and empty if there is none. */
size_t kinfolk_contacts_count(const kinfolk_contacts *contacts);
const char *kinfolk_contacts_label(const kinfolk_contacts *contacts, size_t index);

/* The contact hash at an index. `hash` has KINFOLK_CONTACT_HASH_LENGTH bytes.
 *
 *   KINFOLK_UNKNOWN_ITEM         the book has no such index */
kinfolk_status kinfolk_contacts_get_hash(const kinfolk_contacts *contacts, size_t index, uint8_t *hash);

void kinfolk_contacts_free(kinfolk_contacts *contacts);


/* ---- Discovery -------------------------------------------------------------------------------------------------- */

/* Discovery finds people who granted discoverability in the session's container. Somebody unknown, somebody who did not
 * opt in, a suspended one, one who never used this container, and one whom a block hides give the same answer, through
 * the same work: no identity. (The work for a book of 100 contacts or more tells a little: directory_filters in
 * kinfolk_open_options.) Each of these functions may return
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */

/* Finds a person by user record ID: one identity, or none. It costs no permit.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID */
kinfolk_status kinfolk_discover_record_id(const kinfolk_session *session, const char *id,
                                          kinfolk_identities **identities);

/* Finds a person by a verified e-mail address: one identity, or none. It costs one permit, each time.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_REQUEST_RATE_LIMITED no permit is left: kinfolk_error_retry_after() says when there will be one
 *   KINFOLK_PERMISSION_FAILURE   the container keeps no directory of contact hashes */
kinfolk_status kinfolk_discover_email(const kinfolk_session *session, const char *email,
                                      kinfolk_identities **identities);

/* Finds the people in a contact book: each once, in the order of the book, with all contacts that led to them; the
 * session's own person is left out. Each contact that was not asked about before costs a permit. What was asked about
 * before is told by `sync_state`, what an earlier call of the same account in this container gave, or NULL and 0.
 * Several may be given, from two devices of one person say: one after the other in the same memory. One that is forged,
 * damaged or another's counts as none.
 *
 *   KINFOLK_LIMIT_EXCEEDED       more new contacts than permits can ever be held: send the book in parts
 *   KINFOLK_REQUEST_RATE_LIMITED more new contacts than permits are left: see kinfolk_error_retry_after
 *   KINFOLK_PERMISSION_FAILURE   the container keeps no directory of contact hashes
 * None of them spends a permit. */
kinfolk_status kinfolk_discover_contacts(const kinfolk_session *session, const kinfolk_contacts *contacts,
                                         const uint8_t *sync_state, size_t sync_state_length,
                                         kinfolk_identities **identities);

/* What to pass to the next kinfolk_discover_contacts of this account in this container. It is sealed: who keeps it
 * reads nothing in it. The bytes belong to `identities`. NULL and 0 after a discovery of another kind. */
kinfolk_status kinfolk_identities_sync_state(const kinfolk_identities *identities, const uint8_t **sync_state,
                                             size_t *length);

/* The people found. Names are as they were at that moment, and may be empty. */
size_t kinfolk_identities_count(const kinfolk_identities *identities);
const char *kinfolk_identities_record_id(const kinfolk_identities *identities, size_t index);
const char *kinfolk_identities_given_name(const kinfolk_identities *identities, size_t index);
const char *kinfolk_identities_family_name(const kinfolk_identities *identities, size_t index);

/* The contacts that led to a person: their index in the book, from 0, and their label. A discovery by user record ID or
 * by e-mail has none. _contact_index returns SIZE_MAX if there is no such identity or contact. */
size_t kinfolk_identities_contact_count(const kinfolk_identities *identities, size_t index);
size_t kinfolk_identities_contact_index(const kinfolk_identities *identities, size_t index, size_t contact);
const char *kinfolk_identities_contact_label(const kinfolk_identities *identities, size_t index, size_t contact);

void kinfolk_identities_free(kinfolk_identities *identities);


/* ---- Private discovery ------------------------------------------------------------------------------------------- */

/* The same without showing the server a contact: an oblivious pseudorandom function (RFC 9497, ristretto255-SHA512) and
 * buckets of a directory. A client makes requests and takes answers, a session makes answers; how they travel is the
 * program's part. The messages are described byte by byte in docs/private-discovery.md, with what each side learns.
 *
 *     on the person's device                                           in the server
 *
 *     kinfolk_private_client_new("com.example.notes", ..., &client);
 *     kinfolk_private_client_set_contacts(client, contacts);
 *     for (;;) {
 *         kinfolk_private_client_next_request(client, &request, &n);
 *         if (request == NULL) break;
 *         ... request ...                                      -->     kinfolk_session_answer(session, request, n, 1,
 *         kinfolk_private_client_receive(client, answer, m);   <--                            &answer, &m);
 *     }
 *     kinfolk_private_client_identities(client, &identities); */

/* How people can be found in a container: a sum of these. A new container has KINFOLK_DIRECTORY_HASHED. */
#define KINFOLK_DIRECTORY_HASHED 1u  /* by contact hashes, which the server sees: kinfolk_discover_contacts, _email */
#define KINFOLK_DIRECTORY_PRIVATE 2u /* by private discovery */

/* _set_directory_modes builds the directories that are new, while the container is in use, in batches and on all cores,
 * and then empties those that go; what was interrupted is gone on with by calling it again with the same modes.
 * `progress` is told of people; it may be NULL. A mode whose directory is being built is not among those that
 * _directory_modes gives.
 *
 *   KINFOLK_INVALID_ARGUMENT     modes is 0, or has others
 *   KINFOLK_CONFLICT             somebody else ended meanwhile what this built: then nothing else is ended */
kinfolk_status kinfolk_container_directory_modes(const kinfolk_container *container, uint32_t *modes);
kinfolk_status kinfolk_container_set_directory_modes(const kinfolk_container *container, uint32_t modes,
                                                     kinfolk_progress_fn progress, void *context);

/* Makes the next key of the private directory and shows its public key, before anything is indexed under it, so that
 * clients which only take published keys can have it first. The next _renew_private_key or rotation of the service key
 * uses it. `epoch` gets its number; a second call before that gives the same number. Somebody who has the service key and a
 * copy of the store has this key too, so a rotation because of a leak discards it.
 *
 *   KINFOLK_UNKNOWN_ITEM         the container has no private directory */
kinfolk_status kinfolk_container_announce_next_private_key(const kinfolk_container *container, uint32_t *epoch);

/* Takes a new key for the private directory and indexes everybody under it, while the old one still answers. Clients move
 * at their next discovery, and what they had paid for is free under the new key, and nothing else. `epoch` gets its
 * number. `progress` is told of people; it may be NULL. Call it again to resume an interrupted renewal.
 *
 *   KINFOLK_UNKNOWN_ITEM         the container has no private directory
 *   KINFOLK_LIMIT_EXCEEDED       it has 100 epochs */
kinfolk_status kinfolk_container_renew_private_key(const kinfolk_container *container, kinfolk_progress_fn progress,
                                                   void *context, uint32_t *epoch);

/* Ends the epochs before this one: they answer no more. Their keys stay only to tell what was paid for in them, until
 * the service key is rotated because it leaked.
 *
 *   KINFOLK_UNKNOWN_ITEM         there is no such epoch that is complete */
kinfolk_status kinfolk_container_end_private_epochs(const kinfolk_container *container, uint32_t before);

/* Sets how many bits of each contact's bucket position a client tells: 0 to 32, or -1 for what suits the number of rows, which is 0,
 * the whole directory, while that fits 1 MiB, and then so many that a bucket has 16 to 32 rows. With fewer bits the
 * server learns less, and sends more.
 *
 *   KINFOLK_INVALID_ARGUMENT     it is another number */
kinfolk_status kinfolk_container_set_prefix_bits(const kinfolk_container *container, int32_t bits);

/* The epochs of the private directory, newest first: their numbers; the public keys (KINFOLK_PUBLIC_KEY_LENGTH bytes,
 * borrowed), which the program may give its clients by a way of its own; whether everybody is in it, before which it
 * answers nobody; whether it has only a key so far, which was announced; how many rows it has, one for each address by
 * which somebody can be found; and how many bits a client tells of a contact. */
kinfolk_status kinfolk_container_private_epochs(const kinfolk_container *container, kinfolk_private_epochs **epochs);
size_t kinfolk_private_epochs_count(const kinfolk_private_epochs *epochs);
uint32_t kinfolk_private_epochs_number(const kinfolk_private_epochs *epochs, size_t index);
const uint8_t *kinfolk_private_epochs_public_key(const kinfolk_private_epochs *epochs, size_t index);
bool kinfolk_private_epochs_is_complete(const kinfolk_private_epochs *epochs, size_t index);
bool kinfolk_private_epochs_is_announced(const kinfolk_private_epochs *epochs, size_t index);
uint64_t kinfolk_private_epochs_row_count(const kinfolk_private_epochs *epochs, size_t index);
uint32_t kinfolk_private_epochs_prefix_bits(const kinfolk_private_epochs *epochs, size_t index);
void kinfolk_private_epochs_free(kinfolk_private_epochs *epochs);

/* The bucket key of all private directories of a store, KINFOLK_PUBLIC_KEY_LENGTH bytes: by it a contact is in the same
 * bucket in all containers and epochs. It never changes. The program may give it to its clients by a way of its own.
 *
 *   KINFOLK_UNKNOWN_ITEM         there was no private directory yet */
kinfolk_status kinfolk_service_bucket_public_key(const kinfolk_service *service, uint8_t *key);

/* Answers one request of a client, for the session's person. Each point of a batch costs a permit, the padding too,
 * which cannot be told from contacts; what is asked for again is charged again. Contacts that were paid for in one epoch
 * are renewed in another for nothing: the client shows that it paid. Buckets cost nothing. `threads` is on how many to compute; 0 for as many as there are
 * cores. End the answer with kinfolk_free.
 *
 *   KINFOLK_INVALID_ARGUMENT     the message is malformed, or no request
 *   KINFOLK_UNKNOWN_ITEM         the container has no private directory, or not of the epoch that the request names
 *   KINFOLK_CONFLICT             prefixes have more bits than the directory's, or than it has by now: the client must
 *                                begin anew
 *   KINFOLK_LIMIT_EXCEEDED       so many permits can never be held; or the answer would have more than 64 MiB
 *   KINFOLK_REQUEST_RATE_LIMITED they are not there now: see kinfolk_error_retry_after
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE   a renewal is of contacts that were not paid for
 *   KINFOLK_STORE_CORRUPT        somebody changed a row of the directory
 * None of them spends a permit. */
kinfolk_status kinfolk_session_answer(const kinfolk_session *session, const uint8_t *request, size_t request_length,
                                      uint32_t threads, uint8_t **answer, size_t *answer_length);

/* Makes the client's half. It needs no service and no store. `container` is the container's name. `public_keys` are
 * `key_count` keys one after the other, of KINFOLK_PUBLIC_KEY_LENGTH bytes each, if the program has them from elsewhere
 * than this server: then the server must prove that it used one of them, and the newest epoch whose key is among them
 * answers. Without any it is trusted to use the same key for everybody. `bucket_key` is the one of
 * kinfolk_service_bucket_public_key, if the program has it from elsewhere, or NULL: then the first that the server names
 * is kept in the state, and another one refused from then on.
 *
 * `filler_secret` is KINFOLK_FILLER_SECRET_LENGTH random bytes that a person's applications share, if they can, so that
 * all of them fill up requests with the same hashes and ask for the same buckets; or NULL. `state` is what
 * kinfolk_private_client_state gave after an earlier discovery of the same person in the same container, or NULL and 0:
 * then the server is asked about all contacts again, and could find out by comparing how many there are, unless the
 * filler secret is the same. `threads` is on how many to compute; 0 for as many as there are cores.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name, or not a public key; the state is damaged, of an older
 *                                version, of another container or of another filler secret
 *   KINFOLK_KEY_MISMATCH         the state is of another bucket key
 *   KINFOLK_LIMIT_EXCEEDED       more than 1,000 keys */
kinfolk_status kinfolk_private_client_new(const char *container, const uint8_t *public_keys, size_t key_count,
                                          const uint8_t *bucket_key, const uint8_t *filler_secret,
                                          const uint8_t *state, size_t state_length, uint32_t threads,
                                          kinfolk_private_client **client);

/* Takes the contacts that count from now on, copied, and begins a discovery. _begin begins another with the same
 * contacts: after a request that failed, or to see what has changed. */
kinfolk_status kinfolk_private_client_set_contacts(kinfolk_private_client *client, const kinfolk_contacts *contacts);
kinfolk_status kinfolk_private_client_begin(kinfolk_private_client *client);

/* Sets how many bits of a contact's bucket position the client tells at most: 0 to 32, and 20 unless changed. Where the server's
 * directory has more, it asks for larger buckets. So a server cannot ask for so many that they tell one contact from all
 * others. What suits a directory of a million people is 15. It counts from the next discovery on.
 *
 *   KINFOLK_INVALID_ARGUMENT     it is another number */
kinfolk_status kinfolk_private_client_set_maximum_prefix_bits(kinfolk_private_client *client, uint32_t bits);

/* What to send next; the same again until its answer came. NULL and 0 when all is known. End it with kinfolk_free. */
kinfolk_status kinfolk_private_client_next_request(kinfolk_private_client *client, uint8_t **request, size_t *length);

/* Takes the answer to the request. If it is refused the request stands.
 *
 *   KINFOLK_INVALID_ARGUMENT     it is malformed, or there is no request
 *   KINFOLK_CONFLICT             it is the answer to another request; or the bucket key, or the key of an epoch, is not
 *                                what it was
 *   KINFOLK_KEY_MISMATCH         the server's key is not among the published ones, or the server did not use it */
kinfolk_status kinfolk_private_client_receive(kinfolk_private_client *client, const uint8_t *answer, size_t length);

/* The people in the contacts, by what has been received so far: each once, in the order of the book, with all contacts
 * that led to them. Their names are empty: they come by kinfolk_discover_record_id, which tells the server who they are,
 * and may be put off or left out. */
kinfolk_status kinfolk_private_client_identities(const kinfolk_private_client *client, kinfolk_identities **identities);

/* What to keep for the next discovery: with it nothing is asked about known contacts, and only what changed is sent. It
 * holds contact hashes in clear: keep it like the address book. End it with kinfolk_free. */
kinfolk_status kinfolk_private_client_state(const kinfolk_private_client *client, uint8_t **state, size_t *length);

/* By what the hashes are made that fill up requests: `secret` has KINFOLK_FILLER_SECRET_LENGTH bytes. Give it to the
 * person's other applications, and to a client that begins without a state. Keep it like the address book. */
kinfolk_status kinfolk_private_client_filler_secret(const kinfolk_private_client *client, uint8_t *secret);

void kinfolk_private_client_free(kinfolk_private_client *client);

/* Both halves in this process, names included: for tests, and for programs that the person trusts with the contacts.
 * `state` is the sync state of an earlier call, which here is a client's state: keep it like the address book. It may
 * return what kinfolk_session_answer and kinfolk_private_client_new may. */
kinfolk_status kinfolk_discover_contacts_privately(const kinfolk_session *session, const kinfolk_contacts *contacts,
                                                   const uint8_t *state, size_t state_length, uint32_t threads,
                                                   kinfolk_identities **identities);

#ifdef __cplusplus
}
#endif

#endif
