/*
 * SQLite's files, with open-file-description locks.
 *
 * SQLite's own VFS uses POSIX locks. They belong to the process: when any code in it closes any descriptor of a file, all locks of the
 * process on that file are gone ("How To Corrupt An SQLite Database File", 2.2). A host that reads one byte of its open store would so
 * let another process take the store for unused, and delete its log. Open-file-description locks (fcntl(2)) belong to the descriptor
 * that took them, so each connection is to all others what another process is, and no other descriptor matters.
 *
 * The locks are at the same bytes as SQLite's own, and the two kinds of locks exclude each other: other programs can use the same file.
 */

#ifndef CKINFOLK_VFS_H
#define CKINFOLK_VFS_H

/* The name to give to sqlite3_open_v2. A program that registers another VFS of this name gets the calls first: the tests do. */
#define CKINFOLK_VFS "kinfolk"

/* Registers the VFS, at the first call. Where the system has no open-file-description locks, it is SQLite's own under this name. */
int ckinfolk_vfs_register(void);

/* File controls of a database, with an int to set. */
enum {
    /* Whether the database, its open log and its open index are still the files at their paths. */
    CKINFOLK_IS_IN_PLACE = 0x6b666b01,
    /* The same, at a small part of the cost: without a look at each file if nothing was made, renamed or deleted in the folder since the last
       look. It does not see that the folder itself was replaced. */
    CKINFOLK_IS_PROBABLY_IN_PLACE = 0x6b666b03,
    /* For a connection that will be closed without a checkpoint, because its log is not in place. Deletes its index, if that is still in
       place: the index describes the lost log, and must not be used with a new one. */
    CKINFOLK_ABANDON = 0x6b666b02,
    /* The descriptor of the open database. */
    CKINFOLK_DESCRIPTOR = 0x6b666b04,
};

#endif
