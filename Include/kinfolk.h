/*
 * kinfolk.h: the C API of Kinfolk, and its manual.
 *
 * Kinfolk gives a program user accounts, databases of records and friend discovery without a server of its own. In each
 * application a person has a random ID, a private database that nobody else can read, and a public database that all
 * share. Others can find the person only after the person has opted in. A person finds friends by the hashes of a
 * contact book; the application never sees the contact book. All data is kept in one SQLite file or in a PostgreSQL
 * database.
 *
 *     cc friends.c $(pkg-config --cflags --libs kinfolk)
 *
 *
 * THE WORDS
 *
 *   service         an open store with its keys; the operator's handle
 *   account         a person: a name and e-mail addresses. The operator knows it; an application never does
 *   container       the data of one application, named in reverse DNS. Nothing links one container to another
 *   environment     production or development: a container has both. Each has its own users, records and schema
 *   session         one account signed in to one container, or an anonymous session; applications use only sessions
 *   user record ID  "_" and 32 lower-case hexadecimal digits (128 random bits): identifies a person in one container
 *   database        the records of an environment that all users share (public), or those of one user (private)
 *   zone            a group of records in one database. Every database has the zone "_defaultZone"; private databases
 *                   also have custom zones, which keep track of changes
 *   record          a record type, a name and fields, plus what the store maintains: a change tag, and who created and
 *                   modified the record and when
 *   record type     the class of a record, "Note" for example
 *   record name     1 to 255 printable ASCII characters (0x20 to 0x7e), unique in the zone: chosen by the application,
 *                   or a random UUID. Names that begin with "_" are reserved: a user record is named by its user record
 *                   ID
 *   user record     the record of the type "Users" on a person's user record ID: each person has one in the public
 *                   database and one in the private database. Both exist from the first session on
 *   change token    a position in the changes of a zone or of a private database
 *   asset           a file that belongs to a field of a record: a photo, a sound, a document
 *   quota           how many bytes a user, a public database or a single asset may have
 *   query           a record type, a predicate and an order: it finds records of one database
 *   predicate       the condition that the found records satisfy: a text as for NSPredicate, with arguments
 *   cursor          a position in the records that a query finds
 *   subscription    a stored question of one user, whose answers come as notifications: a query, a zone or a database
 *   notification    the message that a record or a zone of a subscription was changed
 *   API token       the secret by which an application calls a network service, for one environment of a container
 *   web session     a browser, or another client of the network service, in which a person is signed in
 *   device          a program of a user that receives notifications, also those from the time when it was not running
 *   key-value store small settings of one user in one container, the same on all devices
 *   document        a named file of one user in one container, with versions
 *   conflict        a version of a document that was saved without knowledge of the current one
 *   schema          the record types of an environment and the types of their fields
 *   contact book    the caller's contacts, as hashes
 *   contact hash    SHA-256 of a canonical e-mail address (see kinfolk_email_canonicalize)
 *   permit          the right to ask about one new contact; the unit of the rate limit
 *   sync state      data that a discovery returns: with it, the next discovery asks about the same contacts for free
 *   directory       the index of the people who can be found in a container. There are two kinds, and a container can
 *                   have both: a directory of contact hashes, and a private directory, which never learns the contacts
 *                   that clients search for
 *   epoch           the period in which a private directory uses one key
 *   sealed          encrypted and authenticated with a key of the store
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
 * RECORDS
 *
 *     kinfolk_database *database;
 *     kinfolk_record *note, *fetched;
 *     const char *title;
 *
 *     if (kinfolk_session_database(session, KINFOLK_DATABASE_PUBLIC, &database) != KINFOLK_OK ||
 *         kinfolk_record_new("Note", "shopping", NULL, &note) != KINFOLK_OK ||
 *         kinfolk_record_set_string(note, "title", "Groceries") != KINFOLK_OK ||
 *         kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED) != KINFOLK_OK ||
 *         kinfolk_database_fetch(database, "shopping", NULL, &fetched) != KINFOLK_OK ||
 *         kinfolk_record_get_string(fetched, "title", &title) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *     printf("%s, by %s\n", title, kinfolk_record_created_by(fetched));
 *
 *   Everybody can read the public database, also a session without an account. A signed-in user creates records in it,
 *   and changes and deletes the records that this user created. The grants of a record type can say otherwise: see
 *   kinfolk_role_grant. A private database can be read and written by its own user only; with any other session its
 *   records do not exist.
 *
 *   The schema of the development environment grows with use: the first save of a new record type or field adds it, and
 *   fixes the field's type. The schema of the production environment grows in this way through the public database
 *   only, and not at all after the operator has deployed a schema. The operator adds types and fields in advance.
 *
 *   A change tag identifies one state of a record. A save whose record has a stale tag fails with
 *   KINFOLK_SERVER_RECORD_CHANGED and returns the record of the store, so that the caller can merge both. The save
 *   policies, and the operations of a batch, say when tags are ignored.
 *
 *   Where a function takes the name of a record, it also takes the name of its zone. NULL is "_defaultZone", the zone
 *   that every database has and that holds all user records.
 *
 *
 * ZONES AND CHANGES
 *
 *   A private database can have custom zones. kinfolk_zone_save makes a zone, kinfolk_zone_delete deletes it with its
 *   records, and kinfolk_zones lists the zones. A record belongs to the zone that was given to kinfolk_record_new, and
 *   stays there. References and parents name records of the same zone, or users.
 *
 *   A custom zone keeps track of its changes. A program that keeps a copy of the zone asks for the changes since its
 *   last visit, one page after the other:
 *
 *     bool more_coming = true;
 *
 *     while (more_coming) {
 *         if (kinfolk_zone_changes(database, "Notes", token, token_length, 0, &changes) != KINFOLK_OK) return 1;
 *         for (size_t i = 0; i < kinfolk_changes_count(changes); i++) {
 *             if (kinfolk_changes_record(changes, i, &record) != KINFOLK_OK) return 1;
 *             if (record != NULL) store(record);
 *             else forget(kinfolk_changes_deleted_name(changes, i));
 *             kinfolk_record_free(record);
 *         }
 *         keep_token(changes);
 *         more_coming = kinfolk_changes_more_coming(changes);
 *         kinfolk_changes_free(changes);
 *     }
 *
 *   Each page has a change token, the position after the page. Pass it to the next call, and store it with the copy
 *   when the loop ends. Without a token, the changes begin with all records of the zone. After that, each record that
 *   was saved or deleted is returned once, as it is at that moment, in the order of the last changes. What one batch
 *   changed is never split between two pages.
 *
 *   kinfolk_database_changes does the same one level higher: it says which zones were made, changed or deleted. A
 *   program with many zones asks it first, and then each zone that it names. The default zone and the public database
 *   keep no track of changes.
 *
 *   A token is sealed, so it cannot be made or changed outside of the library. It is valid for the user, environment
 *   and zone or database for which it was made, and survives a rotation of keys. Of the deletions of a zone, the store
 *   remembers the last 10,000, and those of the last 30 days up to 20,000; of deleted zones, the last 10,000.
 *   KINFOLK_CHANGE_TOKEN_EXPIRED says that the token is older than that, that the store was restored from a backup
 *   since, or that the token was made for something else. Then discard the copy, and begin again without a token. A
 *   token of a deleted zone fails with KINFOLK_ZONE_NOT_FOUND, and with KINFOLK_CHANGE_TOKEN_EXPIRED if a zone of the
 *   same name was made since.
 *
 *
 * QUERIES
 *
 *   A query finds the records of one type that satisfy a predicate. The predicate is a text with placeholders, and the
 *   values are bound to them, so a value is never read as a part of the text:
 *
 *     kinfolk_query *query;
 *     kinfolk_value *prefix;
 *     kinfolk_page *page;
 *     const uint8_t *cursor = NULL;
 *     size_t length = 0;
 *
 *     kinfolk_value_new_string("Gro", 3, &prefix);
 *     if (kinfolk_query_new("Note", "title BEGINSWITH %@", &query) != KINFOLK_OK ||
 *         kinfolk_query_bind(query, prefix) != KINFOLK_OK ||
 *         kinfolk_query_sort(query, "createdAt", false) != KINFOLK_OK ||
 *         kinfolk_query_run(query, database, NULL, 0, &page) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *     for (;;) {
 *         kinfolk_page *next;
 *         for (size_t i = 0; i < kinfolk_page_count(page); i++) {
 *             if (kinfolk_page_record(page, i, &note) != KINFOLK_OK) return 1;
 *             printf("%s\n", kinfolk_record_name(note));
 *             kinfolk_record_free(note);
 *         }
 *         if (kinfolk_page_cursor(page, &cursor, &length) != KINFOLK_OK || length == 0) break;
 *         if (kinfolk_query_run(query, database, cursor, length, &next) != KINFOLK_OK) return 1;
 *         kinfolk_page_free(page);
 *         page = next;
 *     }
 *
 *   A predicate compares fields with values:
 *
 *     =  ==  !=  <>  <  <=  >  >=      title = %@        number >= 3        done = TRUE        due = NULL
 *     BETWEEN  IN                      number BETWEEN {1, 5}                tag IN %@          tag IN {'home', 'work'}
 *     BEGINSWITH  CONTAINS             title BEGINSWITH 'Gro'               tags CONTAINS %@
 *     ANY                              ANY tags BEGINSWITH 'ho'
 *     AND  OR  NOT  (also && || !)     NOT (number > 3 OR title = 'Old')
 *     self CONTAINS 'words'            the SEARCHABLE fields contain all the words
 *     distanceToLocation:fromLocation:(place, %@) < 100               within 100 metres
 *     TRUEPREDICATE  FALSEPREDICATE    all records, and none
 *
 *   %@ stands for a value, or for a list after IN and BETWEEN; %K for the name of a field, which is given as a text.
 *   The fields that every record has are called recordName, createdAt, createdBy, modifiedAt, modifiedBy and
 *   changeTag; the names that CloudKit gives them work, too. = and IN ignore the case of letters in texts, BEGINSWITH
 *   and CONTAINS do not. If a record has no value, != is true and every other comparison false; = NULL finds such
 *   records. NOT is the exact opposite of what follows. docs/queries.md has all rules.
 *
 *   Indexes answer a query: QUERYABLE for = and IN, SORTABLE for order and ranges, SEARCHABLE for words. What no index
 *   answers is evaluated on the records, of which a query reads at most 10,000. kinfolk_query_explain says which
 *   indexes a query uses, and which it lacks.
 *
 *   A query returns pages. Each record that does not change while the pages are read is on exactly one of them. A
 *   record that is saved in the meantime may be on two pages, or on none.
 *
 *
 * ASSETS AND QUOTAS
 *
 *   An asset is a file of a record. It may have 250 MB (250,000,000 bytes), unless the operator sets another limit. A
 *   program first writes the file to the database, a piece at a time or from a file of the disk. Then it sets the asset
 *   in a record of the same database and zone, and saves the record:
 *
 *     kinfolk_asset *photo;
 *
 *     if (kinfolk_asset_new(database, NULL, &photo) != KINFOLK_OK ||
 *         kinfolk_asset_add_file(photo, "photo.jpg", NULL, NULL) != KINFOLK_OK ||
 *         kinfolk_asset_finish(photo) != KINFOLK_OK ||
 *         kinfolk_record_set_asset(note, "photo", photo) != KINFOLK_OK ||
 *         kinfolk_database_save(database, note, KINFOLK_SAVE_IF_UNCHANGED) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *     kinfolk_asset_free(photo);
 *
 *   A record holds only the size and the SHA-256 of its assets. The content is read from the database, from any offset,
 *   or saved to a file:
 *
 *     if (kinfolk_record_get_asset(fetched, "photo", database, &photo) != KINFOLK_OK ||
 *         kinfolk_asset_save_to_file(photo, "copy.jpg", NULL, NULL) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *
 *   Several records of a zone may have the same asset. It is deleted with the last of them. An asset that no record has
 *   is deleted 24 hours after its last piece was written. In the public database, a caller may read an asset if the
 *   caller may read one of its records. Only the user who wrote an asset can set it in further records.
 *
 *   A quota limits the bytes of a user's private database, of the public database, or of what one user created in it.
 *   The bytes of sealed records and sealed assets count, with their padding; indexes do not. A save or an upload that
 *   would exceed a quota fails with KINFOLK_QUOTA_EXCEEDED. Deletions always work. See kinfolk_container_set_quota.
 *
 *
 * SUBSCRIPTIONS AND NOTIFICATIONS
 *
 *   A user who wants to know of changes saves a subscription: to the records that satisfy a query, to a custom zone of
 *   the private database, or to the whole private database. From then on each such change makes a notification for all
 *   devices of the user, except for the device that made the change:
 *
 *     kinfolk_query *garden;
 *     kinfolk_subscription *subscription;
 *
 *     if (kinfolk_query_new("Message", "room = 'garden'", &garden) != KINFOLK_OK ||
 *         kinfolk_subscription_new_query(garden, KINFOLK_FIRES_ON_RECORD_CREATION, "garden", &subscription)
 *             != KINFOLK_OK ||
 *         kinfolk_subscription_set_text(subscription, KINFOLK_INFO_ALERT_BODY, "A new message") != KINFOLK_OK ||
 *         kinfolk_subscription_save(database, subscription) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *
 *   A program receives notifications in one of two ways. kinfolk_session_on_notification calls a function for each of
 *   them. kinfolk_notifications_fetch returns those that wait, or waits for some:
 *
 *     kinfolk_notifications *notifications;
 *     kinfolk_notification *notification;
 *     const uint8_t *id;
 *     size_t length;
 *
 *     if (kinfolk_notifications_fetch(session, 0, 10.0, &notifications) != KINFOLK_OK) return 1;
 *     for (size_t i = 0; i < kinfolk_notifications_count(notifications); i++) {
 *         if (kinfolk_notifications_notification(notifications, i, &notification) != KINFOLK_OK) return 1;
 *         printf("%s: %s\n", kinfolk_notification_record_name(notification),
 *                kinfolk_notification_text(notification, KINFOLK_INFO_ALERT_BODY));
 *         if (kinfolk_notification_id(notification, &id, &length) != KINFOLK_OK ||
 *             kinfolk_notifications_acknowledge(session, id, length) != KINFOLK_OK) return 1;
 *         kinfolk_notification_free(notification);
 *     }
 *     kinfolk_notifications_free(notifications);
 *
 *   A notification is delivered at least once: until the device acknowledges it, or a later one. So a program that ends
 *   before it has acknowledged a notification gets it again. The notifications of one record come in the order of its
 *   changes. Several changes of a record may make one notification for each, all of which tell of the record as it is
 *   now. A notification about a record that is gone, or that the user may not read any more, is left out.
 *
 *   The store keeps the last 1,000 notifications of a user. If a device misses older ones, it gets one notification of
 *   the kind KINFOLK_NOTIFICATION_DROPPED. Then it fetches what it shows again, for example with change tokens.
 *
 *   A session that is opened with kinfolk_session_open_on_device belongs to the device with that name, for which
 *   notifications wait while no session is open. Any other session is a device of its own, which begins when it first
 *   asks for notifications or saves a subscription, and which is forgotten when it has not asked for a day.
 *
 *   A save does not wait for notifications. A thread of the service makes them afterwards. Whichever process has the
 *   store open makes those of all processes. They usually arrive within milliseconds, and otherwise within seconds.
 *
 *
 * KEY-VALUE STORE AND DOCUMENTS
 *
 *   A user has a key-value store for small settings in each environment of a container. All devices of the user read
 *   and write the same keys. If two devices set one key, both then read the later value:
 *
 *     kinfolk_keyvalue *settings;
 *     kinfolk_value *theme;
 *
 *     kinfolk_value_new_string("dark", 4, &theme);
 *     if (kinfolk_session_keyvalue(session, &settings) != KINFOLK_OK ||
 *         kinfolk_keyvalue_set(settings, "theme", theme) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *     kinfolk_value_free(theme);
 *
 *   Nothing has to be synchronized for that. kinfolk_keyvalue_synchronize says which keys other devices have set or
 *   removed since the last call; kinfolk_keyvalue_on_change calls a function when they do.
 *
 *   A document is a file of the user with a path. Folders exist as long as documents are in them:
 *
 *     kinfolk_document *letter;
 *     kinfolk_asset *content;
 *     uint8_t text[100];
 *     size_t count;
 *
 *     if (kinfolk_document_create(session, "letters/test.txt", (const uint8_t *)"Hello", 5, &letter) != KINFOLK_OK ||
 *         kinfolk_document_save(letter, (const uint8_t *)"Hello again", 11) != KINFOLK_OK ||
 *         kinfolk_document_version_asset(letter, 0, &content) != KINFOLK_OK ||
 *         kinfolk_asset_read(content, 0, text, sizeof text, &count) != KINFOLK_OK) {
 *         fprintf(stderr, "%s\n", kinfolk_error_message());
 *         return 1;
 *     }
 *     kinfolk_asset_free(content);
 *
 *   A document handle is a copy of the document's path, dates and versions. If another device has saved the document
 *   since the handle was made, kinfolk_document_save overwrites nothing: the current version stays, and the new one
 *   becomes a conflict. Further saves with the handle replace this conflict. Both versions are kept until a device
 *   resolves the conflict, by one of them or by a third version. The last 10 versions before the current one are kept
 *   and can be restored.
 *
 *   Keys and documents are kept in the private database, in zones that applications do not see. So they are sealed,
 *   count for the quota of the user, are in the person's export, and are erased with the account.
 *
 *
 * ERRORS
 *
 *   A function that can fail returns a kinfolk_status: KINFOLK_OK, which is 0, or the kind of failure. Its outputs are
 *   its last parameters; a failure leaves them unchanged. kinfolk_error_message() describes the failure in one English
 *   sentence. The sentence never holds an address, a person's name or a key, so the host may log it.
 *
 *   Any call may return
 *     KINFOLK_INVALID_ARGUMENT     a required argument is NULL, a text is not UTF-8, a path is empty, or an enum value
 *                                  is unknown;
 *     KINFOLK_LIMIT_EXCEEDED       bytes are longer than 2,147,483,647;
 *     KINFOLK_SERVICE_UNAVAILABLE  another process locks the store for longer than the wait, the disk is full, reading
 *                                  or writing failed, the server of the store cannot be reached or the connection was
 *                                  lost, the system cannot start a thread, the service of the handle was closed, or
 *                                  the handle was opened before a fork;
 *     KINFOLK_STORE_CORRUPT        the store is damaged;
 *     KINFOLK_INTERNAL_ERROR       a fault of Kinfolk, or no memory.
 *   The description of a function lists the others. No argument ends the process, except an invalid pointer or a freed
 *   handle.
 *
 *   A function that cannot fail returns its value. Given NULL or an index out of range, it returns NULL, 0 or the value
 *   that its description names.
 *
 *
 * OWNERSHIP
 *
 *   Handles are opaque. Each kind has a function that ends in _free, which takes NULL. Handles may be freed in any
 *   order. A session needs no handle of its container or account, but it needs its service: after
 *   kinfolk_service_close or kinfolk_service_free, the handles that came from a service can only be read and freed.
 *
 *   const char * results and arrays are borrowed: they are valid until the handle that returned them is freed. char **
 *   and uint8_t ** outputs belong to the caller, who frees them with kinfolk_free. Texts are NUL-terminated UTF-8; a
 *   text with a length may also hold NULs. A path is NUL-terminated bytes, which need not be UTF-8; the address of a
 *   server is a text. Bytes are a pointer and a length. The library copies every input before the call returns.
 *
 *
 * THREADS
 *
 *   A handle may be used from any thread. A const handle may be used from several threads at once. Functions that take
 *   a handle without const change that handle. Such calls wait for each other, so nothing breaks, but the changes of
 *   two threads are made in either order. Do not free a handle while another thread still uses it. Each thread has its
 *   own message of its last failure.
 *
 *   A call needs at most 128 KiB of stack, with what the system keeps in the stack of a thread. No argument
 *   makes it need more. The functions that a call runs need theirs in addition. The threads of the service have stacks
 *   of 8 MiB, on which they run the functions of the program.
 *
 *   After fork() the child must open its own service. In the child, calls on inherited handles that need the store fail
 *   with KINFOLK_SERVICE_UNAVAILABLE. Reading data that the handles hold in memory still works. Freeing inherited
 *   handles is allowed and does not affect the parent's store. fork() waits until calls in other threads have ended
 *   their transactions.
 *
 *
 * DURABILITY
 *
 *   A change is on disk when the call returns KINFOLK_OK: it survives the end of the process and the loss of power. A
 *   call that failed has changed nothing, with these exceptions:
 *     - a wrong code counts as a try;
 *     - a look-up of an account that found nobody leaves its entry in the audit log;
 *     - an import of people keeps the accounts that it has made;
 *     - a rotation of keys, a copy to another place, the deletion of a container and work on directories keep what they
 *       have done, and the next call resumes them;
 *     - the work of a refused request of private discovery stays charged;
 *     - a failure to write an asset ends it, and deletes what was written of it.
 *   The pieces of an asset are on disk when kinfolk_asset_finish returns KINFOLK_OK, and not before.
 *   If the connection to the server of a store was lost during a commit, the outcome is unknown: see
 *   kinfolk_error_in_doubt().
 *
 *
 * FILES OF AN OPEN STORE
 *
 *   An open store in a file has the file, a log (-wal), the log's index (-shm) and at times a journal (-journal) next to
 *   it, and its key file with a counter (.counter). While a store is open, in any process, a host must not write,
 *   truncate, rename, delete or replace one of these files, and must not make a file with one of these names. A copy of
 *   the file without its log lacks what the log has: use kinfolk_service_back_up. Opening, reading and closing the files
 *   does no harm.
 *
 *   If the file or the log was deleted or replaced, the next call finds out: it closes the connections of this process
 *   to that file and fails with KINFOLK_SERVICE_UNAVAILABLE. If it was a change, its outcome is unknown
 *   (kinfolk_error_in_doubt()). Later calls use the file that is at the path then.
 *
 *   No function reads or replaces a file of a store that is open in this process as a file of the caller: not as
 *   contacts, people, an asset, a backup, a key or another store. It fails with KINFOLK_INVALID_ARGUMENT, a backup with
 *   KINFOLK_CONFLICT; an import or export of documents reports such files as "inUse".
 *
 *   A file that is replaced keeps its owner, group and mode if the owner is trusted there (see kinfolk_service_open). So
 *   root can rotate the keys of a service that runs as another user, or restore its store. A new store and its key
 *   belong to the user of the process; if that is root, to the owner of a folder to which only that owner may write.
 *   A backup and other files for the caller belong to the user of the process.
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
#define KINFOLK_VERSION "0.2.0"
#define KINFOLK_VERSION_NUMBER 2000 /* major * 1,000,000 + minor * 1,000 + patch */

/* Sizes, in bytes. */
#define KINFOLK_KEY_LENGTH 32          /* a service key */
#define KINFOLK_CONTACT_HASH_LENGTH 32 /* a contact hash */
#define KINFOLK_PUBLIC_KEY_LENGTH 32   /* a public key of a private directory */
#define KINFOLK_FILLER_SECRET_LENGTH 32 /* the secret from which a private client derives its fillers */
#define KINFOLK_DIGEST_LENGTH 32       /* the SHA-256 of an asset */
#define KINFOLK_SERVER_KEY_LENGTH 65   /* the public key of a server */

/* The value of a quota that has no limit. */
#define KINFOLK_NO_QUOTA UINT64_MAX

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
typedef struct kinfolk_operator_blocks kinfolk_operator_blocks;
typedef struct kinfolk_session kinfolk_session;
typedef struct kinfolk_blocked kinfolk_blocked;
typedef struct kinfolk_devices kinfolk_devices;
typedef struct kinfolk_value kinfolk_value;
typedef struct kinfolk_record kinfolk_record;
typedef struct kinfolk_database kinfolk_database;
typedef struct kinfolk_records kinfolk_records;
typedef struct kinfolk_asset kinfolk_asset;
typedef struct kinfolk_batch kinfolk_batch;
typedef struct kinfolk_zone_list kinfolk_zone_list;
typedef struct kinfolk_changes kinfolk_changes;
typedef struct kinfolk_query kinfolk_query;
typedef struct kinfolk_page kinfolk_page;
typedef struct kinfolk_explanation kinfolk_explanation;
typedef struct kinfolk_subscription kinfolk_subscription;
typedef struct kinfolk_subscription_list kinfolk_subscription_list;
typedef struct kinfolk_notification kinfolk_notification;
typedef struct kinfolk_notifications kinfolk_notifications;
typedef struct kinfolk_keyvalue kinfolk_keyvalue;
typedef struct kinfolk_keyvalue_entries kinfolk_keyvalue_entries;
typedef struct kinfolk_keyvalue_changes kinfolk_keyvalue_changes;
typedef struct kinfolk_document kinfolk_document;
typedef struct kinfolk_document_list kinfolk_document_list;
typedef struct kinfolk_document_changes kinfolk_document_changes;
typedef struct kinfolk_document_files kinfolk_document_files;
typedef struct kinfolk_deleted kinfolk_deleted;
typedef struct kinfolk_back_references kinfolk_back_references;
typedef struct kinfolk_schema_changes kinfolk_schema_changes;
typedef struct kinfolk_index_builds kinfolk_index_builds;
typedef struct kinfolk_roles kinfolk_roles;
typedef struct kinfolk_api_tokens kinfolk_api_tokens;
typedef struct kinfolk_server_keys kinfolk_server_keys;
typedef struct kinfolk_web_sessions kinfolk_web_sessions;
typedef struct kinfolk_linked_identities kinfolk_linked_identities;
typedef struct kinfolk_contacts kinfolk_contacts;
typedef struct kinfolk_import kinfolk_import;
typedef struct kinfolk_identities kinfolk_identities;
typedef struct kinfolk_private_epochs kinfolk_private_epochs;
typedef struct kinfolk_private_client kinfolk_private_client;

/* The outcome of a call. The numbers never change and are never reused for something else. */
typedef enum kinfolk_status {
    KINFOLK_OK = 0,
    KINFOLK_INVALID_ARGUMENT = 1,      /* malformed, out of range or contradictory: a retry will not help */
    KINFOLK_UNKNOWN_ITEM = 2,          /* no such account, container, record, field, address, code, file or store */
    KINFOLK_NOT_AUTHENTICATED = 3,     /* nobody is signed in, or the account is suspended or erased */
    KINFOLK_PERMISSION_FAILURE = 4,    /* this account may not do that, or the file system refused */
    KINFOLK_SERVER_RECORD_CHANGED = 5, /* another save changed the record: see kinfolk_error_take_server_record */
    KINFOLK_LIMIT_EXCEEDED = 6,        /* more than one call accepts: send it in parts */
    KINFOLK_REQUEST_RATE_LIMITED = 7,  /* too many requests: see kinfolk_error_retry_after */
    KINFOLK_CONFLICT = 8,              /* it exists already */
    KINFOLK_SERVICE_UNAVAILABLE = 9,   /* the store cannot be reached for now */
    KINFOLK_KEY_MISMATCH = 10,         /* the key is missing, or is not the key with which this store was made */
    KINFOLK_STORE_CORRUPT = 11,        /* the file is not a Kinfolk store, or is damaged */
    KINFOLK_INTERNAL_ERROR = 12,       /* a fault of Kinfolk itself, or no memory */
    KINFOLK_CANCELLED = 13,            /* the caller's kinfolk_progress_fn ended the call */
    KINFOLK_BATCH_REQUEST_FAILED = 14, /* another item of the atomic batch failed; that one says why */
    KINFOLK_REFERENCE_VIOLATION = 15,  /* a record that is referred to is missing, or still needed by another */
    KINFOLK_CHANGE_TOKEN_EXPIRED = 16, /* the change token is too old: fetch everything again, without a token */
    KINFOLK_ZONE_NOT_FOUND = 17,       /* there is no such zone */
    KINFOLK_QUOTA_EXCEEDED = 18,       /* there is no room for this: delete something first */
    KINFOLK_ASSET_NOT_AVAILABLE = 19,  /* there is no such asset that the caller may use; or writing it has ended */
    KINFOLK_ASSET_FILE_NOT_FOUND = 20, /* there is no such file on the disk */
    KINFOLK_ASSET_FILE_MODIFIED = 21   /* the file on the disk was changed while it was read */
} kinfolk_status;


/* ---- Library ---------------------------------------------------------------------------------------------------- */

/* The library's version, as "0.2.0". */
const char *kinfolk_version(void);

/* The library's version as a number, to compare with KINFOLK_VERSION_NUMBER. */
uint32_t kinfolk_version_number(void);

/* The name of a status, "serverRecordChanged" for example; "unknown" if no status has this number. Never NULL. */
const char *kinfolk_status_name(kinfolk_status status);

/* The message of the last failed call on this thread. Never NULL; empty before the first failure. It is valid until the
 * next failed call on this thread. A successful call leaves it unchanged. */
const char *kinfolk_error_message(void);

/* How many seconds to wait before a retry, if the last failure on this thread was KINFOLK_REQUEST_RATE_LIMITED;
 * otherwise 0. */
double kinfolk_error_retry_after(void);

/* Whether the last failed call on this thread may have taken effect: true after a KINFOLK_SERVICE_UNAVAILABLE if the
 * connection to the server of a store was lost before the server confirmed the commit. Check whether the change is
 * there before a retry. */
bool kinfolk_error_in_doubt(void);

/* The record as it is in the store, if the last failure on this thread was KINFOLK_SERVER_RECORD_CHANGED; otherwise
 * NULL. It belongs to the caller, who frees it with kinfolk_record_free; a second call returns NULL. */
kinfolk_record *kinfolk_error_take_server_record(void);

/* Frees a char ** or uint8_t ** output. NULL is allowed. The library first overwrites the output with zeros, over the
 * length that it had when the call returned it. Never pass an output to free(), or other memory to kinfolk_free: the
 * length is stored before the first byte. A pointer that is not an output, or was freed before, ends the process if it
 * is detected. */
void kinfolk_free(void *memory);


/* ---- Service ---------------------------------------------------------------------------------------------------- */

/* How to open a store. Start from KINFOLK_OPEN_OPTIONS_INIT. Later versions of this struct add fields at its end, and
 * `version` tells the library which fields the caller knows. */
typedef struct kinfolk_open_options {
    uint32_t version;       /* 3; 1 and 2 lack the fields that say so */
    bool existing_only;     /* false: make the store and its key file if the store does not exist */
    const char *key_file;   /* NULL: the file next to the store: "kinfolk.key" for "kinfolk.db" */
    const uint8_t *key;     /* a service key from elsewhere (a KMS, a keychain) instead of a key file, or NULL */
    size_t key_length;      /* KINFOLK_KEY_LENGTH, or 0 without a key */
    double wait;            /* seconds to wait for other writers: 0 for the default of 30, negative for no wait */
    const char *passphrase; /* instead of a key: the key is derived from this text by Argon2id (RFC 9106); or NULL */
    int64_t page_cache;     /* bytes of the store that each connection caches in memory. There is one connection for
                             * writing, and one for each thread that reads at the same time. 0 for the default of 2 MiB,
                             * negative for a minimal cache. No effect on a store on a server */
    int64_t directory_filters; /* most bytes for the filters of directories, about 1.5 for each person who can be found.
                                * 0 for the default of 64 MiB, negative for no filters */
    bool require_locked_memory; /* from version 2. Fail if the system does not lock a key in memory: an unlocked key
                                 * could be swapped to a disk. The requirement then holds for the whole process */
    bool read_only; /* from version 3. Change nothing: no byte of the store, its folder or its key. Fail with
                     * KINFOLK_PERMISSION_FAILURE in calls that would write, and in discovery by contacts and addresses,
                     * which spends permits. Do not make a store. The store may be on read-only media, may belong to
                     * another user who lets this one read it, and other processes may write it meanwhile */
} kinfolk_open_options;

#define KINFOLK_OPEN_OPTIONS_INIT { 3, false, NULL, NULL, 0, 0.0, NULL, 0, 0, false, false }

/* Opens the store in the file `path`. If the store does not exist, the call makes it, with a new key. `options` may be
 * NULL.
 *
 * A key file, a store and the files next to it (-wal, -shm, -journal) must belong to the effective user of the process
 * or to root; otherwise they are refused, because an attacker may have planted them. A process of root also accepts
 * files of another user, but only in a folder that belongs to the same user and that nobody else may write.
 *
 * A key file is made with mode 0600 and is refused if other users may read or write it. If the key file is lost, the
 * store is lost: keep a copy of it, apart from the copies of the store. Any number of processes and threads may use a
 * store at the same time. The library copies a key and a passphrase to locked memory and zeroes that memory after use;
 * the caller may wipe its own copy. Deriving a key from a passphrase takes about a second and 256 MiB; an empty
 * passphrase is refused.
 *
 * `path` may also be the address of a PostgreSQL database (docs/scaling.md). A key file cannot be next to a server, so
 * the caller must give the key by key_file, key or passphrase. Without a key, or with a malformed address, the call
 * fails with KINFOLK_INVALID_ARGUMENT. If the server cannot be reached, refuses or has no such database, or libpq.so.5
 * is missing, the call fails with KINFOLK_SERVICE_UNAVAILABLE. A server on another machine must have a certificate for
 * its name (sslmode=verify-full), unless sslmode in the address, PGSSLMODE or a service file says otherwise. Other
 * users may see an address on a command line: keep its password in a file (PGPASSFILE, or a service file).
 *
 * The first search with a book of 100 contacts or more, in a directory of 10,000 rows or more, makes the library build
 * a filter of that directory in the background. For most contacts that belong to nobody in the directory, the filter
 * answers without a look-up in the store. If a contact belongs to a person who is hidden by a block, the look-up is
 * still needed: a caller who can measure the time of the call to a microsecond may notice that. Other searches never
 * use the filter.
 *
 *   KINFOLK_UNKNOWN_ITEM         the store does not exist, with existing_only; or the folder of the store or of the key
 *                                file is missing
 *   KINFOLK_KEY_MISMATCH         the key file is missing, malformed, readable by others or another user's; or the key
 *                                is not the key of this store
 *   KINFOLK_STORE_CORRUPT        the file is not a Kinfolk store; it is an older state of the store than the one last
 *                                used with this key file: see kinfolk_store_accept_older; or the log next to it (-wal)
 *                                belongs to another file, because a backup was copied there by hand: see
 *                                kinfolk_store_restore
 *   KINFOLK_INVALID_ARGUMENT     the store was made by a newer Kinfolk; more than one of key, key file and
 *                                passphrase is given; the passphrase is empty; key_length does not fit the key; the
 *                                wait is not a number; `version` is unknown; the path begins with ":" or "file:",
 *                                which SQLite would not take for a file; the path, or that of the key file, is that of
 *                                another file of an open store
 *   KINFOLK_SERVICE_UNAVAILABLE  the store is an unfinished copy of kinfolk_service_copy; with require_locked_memory: a
 *                                key cannot be locked in memory
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process read and write the store, or read or make
 *                                the key file; or the store is another user's */
kinfolk_status kinfolk_service_open(const char *path, const kinfolk_open_options *options, kinfolk_service **service);

/* Whether all keys of this process are in memory that the system has locked, so that the keys are never swapped to a
 * disk. The system locks no more than RLIMIT_MEMLOCK. False for NULL. */
bool kinfolk_service_is_key_memory_locked(const kinfolk_service *service);

/* Accepts an older state of a store as the present one, if the store was restored in another way than by
 * kinfolk_store_restore, for example when a whole disk was restored.
 *
 * Kinfolk keeps a count of changes in the store, and a copy of the count next to the key file, in a file ending in
 * .counter. The count goes up at most once a minute after changes, and when a service is freed. kinfolk_service_open
 * refuses a store whose count is lower than the one next to the key: an attacker may have put back an older file. This
 * call gives the store a new count. If the key is not in a file, or its folder cannot be written, there is no count
 * next to the key, and an older store is not detected.
 *
 * Call it after each restore on a server, also if the key is not in a file: change tokens from before then fail with
 * KINFOLK_CHANGE_TOKEN_EXPIRED, because the lost state may have given the same numbers to other changes.
 *
 * The call uses the key and the wait of `options`. `was_older`, which may be NULL, gets whether the store was older; if
 * it was not, only the tokens expire. The call fails as kinfolk_service_open does with existing_only. */
kinfolk_status kinfolk_store_accept_older(const char *path, const kinfolk_open_options *options, bool *was_older);

/* Receives the progress of a long call: `done` of `total`, in the unit that the description of the call names. It
 * returns true to continue. False ends the call soon, with KINFOLK_CANCELLED. A rotation, a copy to another place, work
 * on directories, a build of indexes, the deletion of a container and an import of people can then be resumed by the
 * same call; a cancelled backup leaves no file, and neither does a cancelled kinfolk_asset_save_to_file. The function
 * runs on the calling thread, and may use the service. It must not fork: fork() would wait for the very call that waits
 * for the function. */
typedef bool (*kinfolk_progress_fn)(uint64_t done, uint64_t total, void *context);

/* Restores a backup to the file `path`. The call copies the backup, checks the copy as kinfolk_service_check does, and
 * then replaces the store in one step, or makes it if the file is missing. It removes the old store's log, and accepts
 * the state of the backup as the present one. The backup itself is not changed. If the call is interrupted, the file is
 * the complete old store or the complete new one. Changes made after the backup are lost: people who were erased since
 * then are back.
 *
 * `backup` is a file that kinfolk_service_back_up made, or a copy of a store that no process had open. Of `options`,
 * which may be NULL, the call uses the key and the wait. The key is the one that the store had when the backup was
 * made; the wait is for other processes that have the store open, and 0 stands for 5 seconds. `replace_other` allows
 * the call to replace a file that is not the store of this backup. `progress` gets bytes that are copied, and then rows
 * that are checked; it may be NULL. If it ends the call, nothing was changed.
 *
 *   KINFOLK_STORE_CORRUPT        the backup is damaged, or is not a store
 *   KINFOLK_SERVICE_UNAVAILABLE  the store or the backup is open in this or another process; or the disk is full
 *   KINFOLK_CONFLICT             `path` is another store or another file, without replace_other
 *   KINFOLK_KEY_MISMATCH         the key is missing, or is not the key of the backup
 *   KINFOLK_UNKNOWN_ITEM         the backup does not exist, or the folder of the store is missing
 *   KINFOLK_PERMISSION_FAILURE   the file system refuses, or the store is another user's
 *   KINFOLK_INVALID_ARGUMENT     the store is on a server (use pg_restore, or kinfolk_service_copy); the backup is the
 *                                store itself; or as for kinfolk_service_open */
kinfolk_status kinfolk_store_restore(const char *path, const char *backup, const kinfolk_open_options *options,
                                     bool replace_other, kinfolk_progress_fn progress, void *context);

/* The kinds of faults that kinfolk_service_check finds. The numbers never change. */
typedef enum kinfolk_finding {
    KINFOLK_FINDING_DAMAGED = 1,    /* the file is damaged, or a row is malformed */
    KINFOLK_FINDING_SEALED = 2,     /* a sealed value cannot be opened with the keys of the store */
    KINFOLK_FINDING_CHANGED = 3,    /* a row was changed without the key */
    KINFOLK_FINDING_MISSING = 4,    /* a row that is derived from others is missing */
    KINFOLK_FINDING_UNEXPECTED = 5, /* a row belongs to nothing */
    KINFOLK_FINDING_DIFFERENT = 6,  /* a derived row differs from the data that it is derived from */
    KINFOLK_FINDING_MISCOUNTED = 7  /* a stored count is not the number of rows */
} kinfolk_finding;

/* Checks the whole store, as it is at one moment, while other threads and processes use it. It checks that:
 *   - the file is sound;
 *   - every sealed value opens;
 *   - every authenticated row is the row that was written;
 *   - the directories hold exactly the people who can be found.
 * The call reads every row, in bounded memory, and changes nothing. `progress` gets rows; it may be NULL.
 *
 * Faults in the store are no failure of the call: it lists them as findings. A finding names a table, never a person,
 * an address or a key. Each kind is listed once for each table, with the number of times it was found; the table ""
 * stands for the file. _rows is the number of rows that were checked, in all tables; _table_rows is that of one table.
 * Texts are borrowed.
 *
 *   KINFOLK_STORE_CORRUPT        the keys of the store cannot be read, so nothing can be checked */
kinfolk_status kinfolk_service_check(const kinfolk_service *service, kinfolk_progress_fn progress, void *context,
                                     kinfolk_check **check);
bool kinfolk_check_is_sound(const kinfolk_check *check);
uint64_t kinfolk_check_rows(const kinfolk_check *check);
size_t kinfolk_check_table_count(const kinfolk_check *check);
const char *kinfolk_check_table_name(const kinfolk_check *check, size_t index);
uint64_t kinfolk_check_table_rows(const kinfolk_check *check, size_t index);
size_t kinfolk_check_finding_count(const kinfolk_check *check);
const char *kinfolk_check_finding_table(const kinfolk_check *check, size_t index);
kinfolk_finding kinfolk_check_finding_kind(const kinfolk_check *check, size_t index); /* 0 past the end */
uint64_t kinfolk_check_finding_times(const kinfolk_check *check, size_t index);
void kinfolk_check_free(kinfolk_check *check);

/* Consequences of a rotation of keys because of a leak: flags, combined by OR. */
#define KINFOLK_ROTATION_PINNED_CLIENTS 1u      /* clients with only older public keys refuse the private directory */
#define KINFOLK_ROTATION_PAID_CONTACTS 2u       /* contacts of private discoveries cost permits once more */
#define KINFOLK_ROTATION_SYNC_STATES 4u         /* older sync states are ignored */
#define KINFOLK_ROTATION_VERIFICATION_CODES 8u  /* codes that were issued before are refused */
#define KINFOLK_ROTATION_BUCKET_KEY_STAYS 16u   /* the bucket key stays: its holder can compute an address's bucket */
#define KINFOLK_ROTATION_WEB_SESSIONS 32u       /* web sessions have ended: people sign in again */

/* Changes the service key and all keys below it: seals and indexes everything in the store again, while this and other
 * processes use the store. All calls give the same answers meanwhile. Private directories get new keys too: the
 * announced keys, where there are some. Call it again to resume an interrupted rotation. `progress` gets accounts, and
 * then people for private directories; it may be NULL.
 *
 * `is_leaked` says that somebody else may know the old key. The old key then never opens the new keys, not even during
 * the rotation. Services in other processes read the new key from its key file at once. The old epochs of private
 * directories end when the new ones are complete. Older sync states and verification codes become invalid, and web
 * sessions end. API tokens, keys of servers and identities stay valid.
 * `consequences`, which may be NULL, gets the flags above. After a planned rotation they are 0: sync states stay valid,
 * and old epochs answer until kinfolk_container_end_private_epochs.
 *
 * `new_key` is the source of the new key: its key_file (which the call makes if it does not exist), key or passphrase.
 * The call ignores its other fields. If `new_key` is NULL, the call makes a new key, writes it to the key file, and
 * keeps the old key in another file in the same folder: `old_key_file` then gets the path of that file, to be freed
 * with kinfolk_free. Otherwise `old_key_file` gets NULL. `old_key_file` itself may be NULL.
 *
 * During a planned rotation the store opens with either key. Copies of the store that were made before it always need
 * the old key. A service in another process that made no call during the whole rotation reads the new key from its key
 * file. If the host gave the key to that service, its calls fail with KINFOLK_KEY_MISMATCH, and the host must open the
 * service again.
 *
 *   KINFOLK_INVALID_ARGUMENT     new_key is the current key, or names no key, or is malformed as for
 *                                kinfolk_service_open; or new_key is NULL, and the current key is not in a file
 *   KINFOLK_UNKNOWN_ITEM         the folder of the key file is missing
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process read the key file, or make it there
 *   KINFOLK_KEY_MISMATCH         the key file of new_key is malformed, or readable by others
 *   KINFOLK_CONFLICT             is_leaked is true, but a planned rotation is under way: finish that one first
 *   KINFOLK_STORE_CORRUPT        a sealed value does not open, or a row has no owner; nothing is lost, and both
 *                                keys are needed until the store is repaired */
kinfolk_status kinfolk_service_rotate_keys(const kinfolk_service *service, const kinfolk_open_options *new_key,
                                           bool is_leaked, kinfolk_progress_fn progress, void *context,
                                           char **old_key_file, uint32_t *consequences);

/* Copies the store, as it is at one moment, into the new file `path`, while it is in use. `progress` gets pages; it may
 * be NULL. The copy does not hold the key: keep the key apart. Data that is erased from the store later stays in the
 * copy. Restore the copy with kinfolk_store_restore. If you replace the store by hand, the log (-wal) of the old store
 * may still be there, and then opening is refused. If the process is killed, a part of the copy stays in the folder, with
 * a name like kinfolk-1a2b3c.part: delete it.
 *
 *   KINFOLK_CONFLICT             a file with this name exists, or the name is that of a file of an open store
 *   KINFOLK_UNKNOWN_ITEM         its folder is missing
 *   KINFOLK_INVALID_ARGUMENT     the store is on a server: see kinfolk_service_copy, or pg_dump
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process make the file there, or somebody has put
 *                                another file in its place */
kinfolk_status kinfolk_service_back_up(const kinfolk_service *service, const char *path, kinfolk_progress_fn progress,
                                       void *context);

/* Copies the store, as it is at one moment, to another place while it is in use. `destination` is a file to make, or
 * the address of a PostgreSQL database. Sealed values stay as they are, so the key of this service opens the copy.
 * After it has written all rows, the call reads them again and compares their number and checksums. The copy cannot be
 * opened before that.
 *
 * Call it again to resume an interrupted copy, or to bring a copy up to date that has not been opened yet. `progress`
 * gets rows, and counts from the start three times: rows compared (`total` is 0, not known), rows written and rows read
 * again. It may be NULL.
 *
 *   KINFOLK_CONFLICT             the destination is a store that is not a copy of this one, or a copy that was opened;
 *                                or another process is making the same copy
 *   KINFOLK_UNKNOWN_ITEM         its folder is missing
 *   KINFOLK_INVALID_ARGUMENT     the destination is not a place for a store, as for kinfolk_service_open
 *   KINFOLK_SERVICE_UNAVAILABLE  as for any call, for either store; the server of the destination refused, or has no
 *                                such database
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process make the copy there
 *   KINFOLK_STORE_CORRUPT        the destination holds other data, or the rows read again are not the rows written:
 *                                call again */
kinfolk_status kinfolk_service_copy(const kinfolk_service *service, const char *destination,
                                    kinfolk_progress_fn progress, void *context);

/* Counts the bytes of all records and assets again, on which quotas depend, and corrects the stored counts. They can be
 * wrong only if the store was edited without Kinfolk. kinfolk_service_check then finds KINFOLK_FINDING_MISCOUNTED. Each
 * container is counted in one transaction, during which no other call can write.
 *
 *   KINFOLK_STORE_CORRUPT        a record or an asset cannot be read; the counts of its container stay as they are
 *   KINFOLK_PERMISSION_FAILURE   the store was opened for reading only */
kinfolk_status kinfolk_recount_bytes(const kinfolk_service *service);

/* The audit log: one entry for each call of kinfolk_container_find_account, in order. The call returns at most `limit`
 * entries with numbers above `after` (0 for the first page). An entry has the container, the moment (microseconds since
 * 1970-01-01 00:00 UTC), the user record ID that was looked up and the reason; the last two are NULL once that account
 * is erased or the container is deleted. Texts are borrowed. */
kinfolk_status kinfolk_service_audit_log(const kinfolk_service *service, int64_t after, size_t limit,
                                         kinfolk_audit **audit);
size_t kinfolk_audit_count(const kinfolk_audit *audit);
int64_t kinfolk_audit_number(const kinfolk_audit *audit, size_t index);
int64_t kinfolk_audit_noted_at(const kinfolk_audit *audit, size_t index);
const char *kinfolk_audit_container(const kinfolk_audit *audit, size_t index);
const char *kinfolk_audit_record_id(const kinfolk_audit *audit, size_t index);
const char *kinfolk_audit_reason(const kinfolk_audit *audit, size_t index);
void kinfolk_audit_free(kinfolk_audit *audit);

/* Closes the service. When the call returns, no thread can reach the store through this service, and the service has no
 * descriptor, lock or mapping of the store's files. If no other service of any process is open on the store, the file
 * alone holds all data, and may be copied, moved or deleted.
 *
 *   - Transactions that other threads have begun are completed first. A call that needs a further transaction, or that
 *     waits for another writer, fails.
 *   - From then on, all calls on the service, and on the handles that came from it, that need the store fail with
 *     KINFOLK_SERVICE_UNAVAILABLE; kinfolk_session_account_status gives KINFOLK_ACCOUNT_COULD_NOT_DETERMINE. Data that
 *     handles hold in memory can be read, and the handles must still be freed.
 *   - The threads of the service end. No function that was registered for a session or a key-value store is running
 *     when the call returns, nor will one be called again.
 *   - A service reserves permits for people who make many single look-ups. Closing it returns the unused ones to the
 *     store, if the store can be written within the wait; exit() does the same for all open services. If a process is
 *     killed, the permits that it reserved are available again within two minutes.
 *   - If something is to be written and another process is writing to the store, or is changing the key file, the call
 *     waits for that process, each time as long as the `wait` with which the service was opened at most.
 *
 * Any thread may call this, also while other threads use the service. Closing again does nothing; if two threads close,
 * both calls return when the service is closed. NULL is allowed. In the child of a fork it does nothing.
 *
 * A function that the library calls may close the service:
 *   - In a function for notifications or changes, the call waits for no such function, so it may return while some are
 *     running: the one that made the call, and those on other threads. Otherwise it does the same, also if another
 *     thread closes the service at that time.
 *   - In a kinfolk_progress_fn, the service is closed at once if the reported call is between two transactions. During a
 *     transaction of any service, as in kinfolk_service_back_up, kinfolk_service_check and kinfolk_service_copy, all new
 *     calls fail from then on, and the service is closed when the reported call returns. If that is a call on this
 *     service, it ends soon, with KINFOLK_SERVICE_UNAVAILABLE if its work was not done. */
void kinfolk_service_close(kinfolk_service *service);

/* Closes the service as kinfolk_service_close does, and frees the handle. */
void kinfolk_service_free(kinfolk_service *service);


/* ---- E-mail addresses ------------------------------------------------------------------------------------------- */

/* The canonical form of an address. White space around the address is removed. The local part is prepared by PRECIS
 * UsernameCaseMapped (RFC 8265); the domain by IDNA2008 and UTS #46, non-transitional, as A-labels. At most 254 bytes.
 * docs/canonical-email.md has the rules and test vectors. Free `canonical` with kinfolk_free.
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
 *   KINFOLK_UNKNOWN_ITEM         no account has this ID */
kinfolk_status kinfolk_account_open(const kinfolk_service *service, const char *id, kinfolk_account **account);

/* Opens the account that has this address, verified. An unverified address belongs to no account.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         no account has this address verified */
kinfolk_status kinfolk_account_find_by_email(const kinfolk_service *service, const char *email,
                                             kinfolk_account **account);

/* Opens the account that has this address, verified. If no account has it, the call makes an account with the address,
 * and the host vouches for the address as in kinfolk_account_add_email. Use it to sign in a person who has proved the
 * address. The names are for a new account; an existing account keeps its own. If several processes call this at the
 * same time, one of them makes the account, and all get it. `is_new`, which may be NULL, gets whether this call made
 * it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_LIMIT_EXCEEDED       a name is longer than 1,024 bytes */
kinfolk_status kinfolk_account_find_or_create(const kinfolk_service *service, const char *email,
                                              const char *given_name, const char *family_name,
                                              kinfolk_account **account, bool *is_new);

/* The IDs of all accounts, sorted: at most `limit` IDs after `after`, which is NULL for the first page. Texts are
 * borrowed.
 *
 *   KINFOLK_INVALID_ARGUMENT     an account ID is 32 lower-case hexadecimal digits */
kinfolk_status kinfolk_service_accounts(const kinfolk_service *service, const char *after, size_t limit,
                                        kinfolk_accounts **accounts);
size_t kinfolk_accounts_count(const kinfolk_accounts *accounts);
const char *kinfolk_accounts_id(const kinfolk_accounts *accounts, size_t index);
void kinfolk_accounts_free(kinfolk_accounts *accounts);

/* The account's ID, 32 hexadecimal digits: it identifies a person to the operator. Never give it to an application. */
const char *kinfolk_account_id(const kinfolk_account *account);

/* The account's present name. Free both texts with kinfolk_free. Either output may be NULL.
 *
 *   KINFOLK_UNKNOWN_ITEM         the account was erased (the same holds for all functions of this section) */
kinfolk_status kinfolk_account_get_name(const kinfolk_account *account, char **given_name, char **family_name);

/* Changes the account's name, also in what others discover.
 *
 *   KINFOLK_LIMIT_EXCEEDED       a name is longer than 1,024 bytes */
kinfolk_status kinfolk_account_set_name(const kinfolk_account *account, const char *given_name,
                                        const char *family_name);

/* How an account gets an address
 *
 * An address counts once it is verified: the host vouches for it (kinfolk_account_add_email), or the person enters a
 * code that the host mailed to it (kinfolk_account_request_verification, kinfolk_account_verify_email). If another
 * account has the address verified, neither call moves it: both open a claim, and `claim` gets it.
 *
 * The host then mails a notice to all addresses of kinfolk_claims_notice (all verified addresses of the owner), and
 * reports that with kinfolk_service_acknowledge_notice. From then on the owner can refuse the claim, with a code that
 * is mailed to the disputed address (kinfolk_account_refuse_claims). The wait is 24 hours
 * (kinfolk_service_set_claim_wait); the owner can also refuse after it, until the claim is completed. If the owner does
 * not refuse, the claimant completes the claim within 7 days after the wait: the claimant proves the address again, by
 * the same calls and with a new code, and the address moves. If the claimant proves the address in spite of a refusal,
 * the claim is disputed, and the operator decides: kinfolk_service_transfer_email for the claimant,
 * kinfolk_service_dismiss_claim for the owner. Nothing moves before the notice is acknowledged: after a restart,
 * kinfolk_service_claims finds claims in KINFOLK_CLAIM_AWAITING_NOTICE.
 *
 * A mail with a code may say:
 *
 *     Your code for Notes is ABCD-EFGH. It is valid for 10 minutes. If you did not ask for it, ignore this mail.
 *     If you ask for another mail and none comes: enter the pass 0123-4567-89AB-CDEF as well.
 *
 * and a notice:
 *
 *     Somebody with another account in Notes reads the mails to ada@example.com, and claims this address. If that is
 *     not you, sign in and refuse by tomorrow. If it is, do nothing: the address moves to the other account.
 *
 * Codes and passes are written in groups of four. Letter case, hyphens and spaces do not matter; O is read as 0, I and
 * L as 1. Accept a code only from the browser that asked for it, so that nobody else uses up its five tries. */

/* What a code is for. It works for this purpose only. */
typedef enum kinfolk_code_purpose {
    KINFOLK_CODE_ADD_EMAIL = 1,   /* to prove an address that the account does not have verified */
    KINFOLK_CODE_SIGN_IN = 2,     /* to sign in by an address that the account has verified */
    KINFOLK_CODE_REFUSE_CLAIM = 3 /* to refuse the claims on an address that the account has verified */
} kinfolk_code_purpose;

/* The state of a claim. */
typedef enum kinfolk_claim_state {
    KINFOLK_CLAIM_AWAITING_NOTICE = 1, /* nothing moves before the notice is acknowledged; it lapses after 30 days */
    KINFOLK_CLAIM_WAITING = 2,         /* the owner may refuse */
    KINFOLK_CLAIM_COMPLETABLE = 3,     /* for 7 days the claimant may prove it again; the owner may still refuse */
    KINFOLK_CLAIM_REFUSED = 4,         /* by the owner: for 30 days the claimant cannot claim the address again */
    KINFOLK_CLAIM_DISPUTED = 5,        /* both accounts proved the address: the operator decides */
    KINFOLK_CLAIM_DISMISSED = 6        /* by the operator: for 30 days the claimant cannot claim the address again */
} kinfolk_claim_state;

/* Adds an address. With `verified` the host vouches that the address is this person's: it counts at once, unless
 * another account has it verified. Adding an address a second time changes nothing, except that it is proved if
 * `verified` is true. An account has at most 100 addresses. `claim`, which may be NULL, gets the claim that this call
 * opened, or an earlier claim of this account on the address; without a claim it gets NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_LIMIT_EXCEEDED       the account has 100 addresses already; or, with `verified`, there are 20 claims on the
 *                                address, or 100 of the account */
kinfolk_status kinfolk_account_add_email(const kinfolk_account *account, const char *email, bool verified,
                                         kinfolk_claims **claim);

/* Requests a code for an address of the account. The host mails it to `recipient`: the canonical form of the address,
 * with its domain in A-labels. Do not mail to the text that a person typed: mail systems may deliver another spelling of
 * the same address to another domain. A code has 40 random bits, works for this account, address and purpose, is valid
 * for 10 minutes and 5 tries, and replaces the code before it. Free all three texts with kinfolk_free.
 *
 * An address gets 5 mails in 24 hours, over all accounts that request them, so nobody can guess more than 25 times.
 * When they are used up, all outputs are NULL: show the same page as if a mail had been sent. Every code that is
 * entered then counts as a wrong one, so a person cannot learn what other accounts requested.
 *
 * Each mail holds a pass, `next_pass`. A pass is for people who read the mails of the address: it lets them request a
 * mail that does not count against the 5, so nobody else can lock them out. Give it as `pass` with a request for the
 * same address within 24 hours; any account may use it, for any purpose, once. `pass` may be NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         the account does not have this address; to refuse: no claim on it can be refused
 *   KINFOLK_CONFLICT             to add: the account has it verified already; otherwise: it is not verified
 *   KINFOLK_REQUEST_RATE_LIMITED this account made 5 requests for the address in 24 hours, or 20 for all its addresses:
 *                                kinfolk_error_retry_after() says when it may request again. A pass lifts this limit
 *                                too */
kinfolk_status kinfolk_account_request_verification(const kinfolk_account *account, const char *email,
                                                    kinfolk_code_purpose purpose, const char *pass, char **recipient,
                                                    char **code, char **next_pass);

/* Proves an address with the code that was mailed to it. From then on the address counts, and `claim` is NULL. If
 * another account has the address verified, `claim` gets the claim instead, to be freed with kinfolk_claims_free. The
 * calls for the other purposes, kinfolk_account_confirm_sign_in and kinfolk_account_refuse_claims, fail in the same
 * ways.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_UNKNOWN_ITEM         the account does not have this address, or no valid code was requested for it
 *   KINFOLK_PERMISSION_FAILURE   this is not the code; it counts as a try
 *   KINFOLK_LIMIT_EXCEEDED       the code was tried five times: request another; or there are 20 claims on the address,
 *                                or 100 of the account, and this would be another one */
kinfolk_status kinfolk_account_verify_email(const kinfolk_account *account, const char *email, const char *code,
                                            kinfolk_claims **claim);

/* Checks a code that was mailed to an address of the account for KINFOLK_CODE_SIGN_IN. If it returns KINFOLK_OK, the
 * host signs the person in. */
kinfolk_status kinfolk_account_confirm_sign_in(const kinfolk_account *account, const char *email, const char *code);

/* Refuses all claims on an address of the account, with a code that was mailed to it for KINFOLK_CODE_REFUSE_CLAIM. For
 * 30 days a refused claimant cannot claim the address again, and a claim of any account on it needs the operator to
 * move it. `claims`, which may be NULL, gets the refused claims.
 *
 *   KINFOLK_UNKNOWN_ITEM         also: there is no claim left to refuse */
kinfolk_status kinfolk_account_refuse_claims(const kinfolk_account *account, const char *email, const char *code,
                                             kinfolk_claims **claims);

/* The claims that the account made, then the claims of others on its addresses. Do not tell one person who the other
 * is. */
kinfolk_status kinfolk_account_claims(const kinfolk_account *account, kinfolk_claims **claims);

/* All claims, in the order of their IDs: at most `limit` after the ID `after`, which is NULL for the first page.
 *
 *   KINFOLK_INVALID_ARGUMENT     a claim ID is 32 lower-case hexadecimal digits (the same holds for all functions that
 *                                take a claim ID) */
kinfolk_status kinfolk_service_claims(const kinfolk_service *service, const char *after, size_t limit,
                                      kinfolk_claims **claims);

/* A list of claims, as they were when the list was made. Texts are borrowed. Moments are in microseconds since
 * 1970-01-01 00:00 UTC, and 0 while they are not known. _address is the disputed address as its owner spelled it;
 * _notice has all verified addresses of the owner, to which the host mails the notice, in their canonical form. */
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

/* Reports that the notice of a claim was mailed. The wait begins now; if it has begun before, nothing changes.
 *
 *   KINFOLK_UNKNOWN_ITEM         the claim does not exist (any more) */
kinfolk_status kinfolk_service_acknowledge_notice(const kinfolk_service *service, const char *claim_id);

/* Decides a claim for the owner. For 30 days the claimant cannot claim the address again, and a claim of any account on
 * it needs the operator to move it.
 *
 *   KINFOLK_UNKNOWN_ITEM         the claim does not exist (any more) */
kinfolk_status kinfolk_service_dismiss_claim(const kinfolk_service *service, const char *claim_id);

/* Gives an address to an account at once, verified, whichever account has it now. This is the one call that needs no
 * proof, notice or wait. The account that had the address loses it. If `account` does not have the address, the call
 * adds it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address; the account belongs to another service
 *   KINFOLK_LIMIT_EXCEEDED       the account has 100 addresses already */
kinfolk_status kinfolk_service_transfer_email(const kinfolk_service *service, const char *email,
                                              const kinfolk_account *account);

/* For how many seconds after the notice a claim waits, so that its owner can refuse it: 86,400 unless changed. A change
 * applies to notices that are acknowledged from then on.
 *
 *   KINFOLK_INVALID_ARGUMENT     _set: it is negative, more than 30 days or not a number */
kinfolk_status kinfolk_service_claim_wait(const kinfolk_service *service, double *seconds);
kinfolk_status kinfolk_service_set_claim_wait(const kinfolk_service *service, double seconds);

/* Sets whether people can find the account by this address. Every address starts with true. The setting takes effect in
 * the containers where the account has granted discoverability.
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

/* Suspends the account: its sessions become KINFOLK_ACCOUNT_RESTRICTED, and discoveries no longer find it. */
kinfolk_status kinfolk_account_suspend(const kinfolk_account *account);

/* Ends the suspension. The decisions that the person had made hold again. */
kinfolk_status kinfolk_account_resume(const kinfolk_account *account);

/* Whether the account is suspended now. */
kinfolk_status kinfolk_account_is_suspended(const kinfolk_account *account, bool *suspended);

/* Everything that the store holds about the account, as JSON. Free `json` with kinfolk_free. */
kinfolk_status kinfolk_account_export(const kinfolk_account *account, char **json);

/* Receives a piece of an archive: `length` bytes, 1 or more and at most about 1 MB, which are valid until the function
 * returns. It returns true to continue. False ends the call, with KINFOLK_CANCELLED. The function runs on the calling
 * thread, and may use the service. It must not fork: fork() would wait for the very call that waits for the function.
 */
typedef bool (*kinfolk_write_fn)(const uint8_t *bytes, size_t length, void *context);

/* Everything that the store holds about the account, as a tar archive (POSIX.1-2001, pax): the JSON text of
 * kinfolk_account_export as "export.json", and the files of all assets of the person's records in the folder "assets".
 * The JSON text names the file of each asset. The call passes the archive to `write`, one piece after the other. All of
 * it is as it was at one moment. If the call fails, the archive is not complete.
 *
 *   KINFOLK_CANCELLED            `write` returned false */
kinfolk_status kinfolk_account_export_archive(const kinfolk_account *account, kinfolk_write_fn write, void *context);

/* Erases the account and everything that the store holds about it, in one transaction. `erasure`, which may be NULL,
 * tells what was removed. The handle stays valid until it is freed; its functions then return KINFOLK_UNKNOWN_ITEM. */
kinfolk_status kinfolk_account_erase(const kinfolk_account *account, kinfolk_erasure **erasure);

/* Like kinfolk_account_erase, but the records that the person created in public databases stay, without a creator and a
 * modifier. User records are always erased. */
kinfolk_status kinfolk_account_erase_keeping_public_records(const kinfolk_account *account,
                                                            kinfolk_erasure **erasure);

/* What was removed: addresses; containers that the person used, each environment counted; and records. */
size_t kinfolk_erasure_email_count(const kinfolk_erasure *erasure);
size_t kinfolk_erasure_container_count(const kinfolk_erasure *erasure);
size_t kinfolk_erasure_record_count(const kinfolk_erasure *erasure);

/* Erasing an account resets no limit: for each of its addresses the store remembers what was spent of limits, so that a
 * person who comes back with the same address cannot spend it again. These two give the number of such addresses, and
 * until when the store remembers them, in microseconds since 1970-01-01 00:00 UTC: at most 30 days. 0 and 0 if nothing
 * is remembered. The remembered data reveals neither the address nor the account. In containers with a quota of a
 * creator, public records that were kept are remembered too: they count for the quota of an account that has one of the
 * addresses. */
size_t kinfolk_erasure_remembered_email_count(const kinfolk_erasure *erasure);
int64_t kinfolk_erasure_remembered_until(const kinfolk_erasure *erasure);
/* Until when the store counts the mails that the account requested in the last 24 hours, in microseconds since
 * 1970-01-01 00:00 UTC; 0 if there were none. The counts are stored by address only, sealed. In the same way the store
 * remembers for 30 days that a claim on an address was refused. */
int64_t kinfolk_erasure_mails_count_until(const kinfolk_erasure *erasure);

/* Whether the store may still hold erased data:
 *   - the chunks of assets. Their keys are deleted, so nobody can open them. A thread of this service removes them, or
 *     the next service that opens the store;
 *   - or the write-ahead log, because a reader is using it. It is then emptied after one of the next writes of this
 *     service, or when the last process closes the store.
 * Erased data is overwritten in the store's file; random IDs and sealed bytes may remain in unused parts of its pages
 * until those are used again. */
bool kinfolk_erasure_is_pending(const kinfolk_erasure *erasure);
void kinfolk_erasure_free(kinfolk_erasure *erasure);

void kinfolk_account_free(kinfolk_account *account);


/* ---- Container (for the operator) ------------------------------------------------------------------------------- */

/* Makes a container. Its name is in reverse DNS, "com.example.notes": two or more labels of ASCII letters, digits and
 * inner hyphens, 255 bytes at most. Letter case matters.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not such a name
 *   KINFOLK_CONFLICT             a container with this name exists */
kinfolk_status kinfolk_container_create(const kinfolk_service *service, const char *name,
                                        kinfolk_container **container);

/* Opens a container.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name
 *   KINFOLK_UNKNOWN_ITEM         no container has this name */
kinfolk_status kinfolk_container_open(const kinfolk_service *service, const char *name, kinfolk_container **container);

/* The environments of a container. Each has its own users, user record IDs, records, schema, directories and limits;
 * nothing crosses between them. The numbers never change. */
typedef enum kinfolk_environment {
    KINFOLK_ENVIRONMENT_PRODUCTION = 0, /* for the application's users */
    KINFOLK_ENVIRONMENT_DEVELOPMENT = 1 /* for the application's programmers: its schema always grows with use */
} kinfolk_environment;

/* Opens one environment of a container. The other functions that open a container open its production environment. The
 * development environment is made when it is first opened.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name, or not an environment
 *   KINFOLK_UNKNOWN_ITEM         no container has this name
 *   KINFOLK_CONFLICT             the container with this name is being deleted */
kinfolk_status kinfolk_container_open_environment(const kinfolk_service *service, const char *name,
                                                  kinfolk_environment environment, kinfolk_container **container);

/* The environment that the handle was opened for; KINFOLK_ENVIRONMENT_PRODUCTION for NULL. */
kinfolk_environment kinfolk_container_environment(const kinfolk_container *container);

/* Opens the container with this name, and makes it if it does not exist. If several processes call this at the same
 * time, one of them makes the container, and all get it. `is_new`, which may be NULL, gets whether this call made it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name
 *   KINFOLK_CONFLICT             the container with this name is being deleted: see kinfolk_container_delete */
kinfolk_status kinfolk_container_open_or_create(const kinfolk_service *service, const char *name,
                                                kinfolk_container **container, bool *is_new);

/* Deletes the container with this name and everything in both of its environments: user record IDs, records, consents
 * and their wordings, blocks, directories and their keys, limits and what was spent of them, schemas, and counts of
 * activity.
 * The accounts stay, with their data in other containers. Entries of the audit log stay, without the user record IDs
 * and the reasons.
 *
 * From then on all handles of the container and its sessions return KINFOLK_UNKNOWN_ITEM, in all processes, and the
 * account status of a session is KINFOLK_ACCOUNT_NO_ACCOUNT. A container that many people use is deleted in several
 * transactions; after the first of them the container cannot be used any more. Call it again to resume an interrupted
 * deletion: the name cannot be used for another container before the deletion is finished. A container that is made
 * with the name later is a new one: in it people have other user record IDs, no decisions, and no spent permits.
 *
 * `progress` gets people; it may be NULL. `people` gets how many people this call removed; `is_pending`, whether the
 * store's write-ahead log may still hold deleted data, as in kinfolk_erasure_is_pending. Either may be NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name
 *   KINFOLK_UNKNOWN_ITEM         no container has this name */
kinfolk_status kinfolk_container_delete(const kinfolk_service *service, const char *name, kinfolk_progress_fn progress,
                                        void *context, size_t *people, bool *is_pending);

/* The names of all containers that are in use, sorted: without those being deleted. Texts are borrowed. */
kinfolk_status kinfolk_service_containers(const kinfolk_service *service, kinfolk_containers **containers);
size_t kinfolk_containers_count(const kinfolk_containers *containers);
const char *kinfolk_containers_name(const kinfolk_containers *containers, size_t index);
void kinfolk_containers_free(kinfolk_containers *containers);

/* The name of the container that the handle was opened for. The text is borrowed, and is valid after the container is
 * deleted, too. */
const char *kinfolk_container_name(const kinfolk_container *container);

/* Changes the rate limit of discovery in the container: each person holds at most `capacity` permits (20,000 unless
 * changed; at least 1) and gains `per_hour` an hour (10 unless changed). A person without a verified e-mail address
 * holds at most `unverified_capacity` (100 unless changed; more than `capacity` counts as `capacity`). The store keeps
 * how many permits each person has spent, so a new limit gives no spent permit back.
 *
 *   KINFOLK_INVALID_ARGUMENT     capacity is 0, or per_hour is negative, infinite or not a number */
kinfolk_status kinfolk_container_set_permits(const kinfolk_container *container, uint32_t capacity, double per_hour,
                                             uint32_t unverified_capacity);

/* The present rate limit. Each output may be NULL. */
kinfolk_status kinfolk_container_permits(const kinfolk_container *container, uint32_t *capacity, double *per_hour,
                                         uint32_t *unverified_capacity);

/* How many permits a person has left, rounded down. Permits that other processes have reserved for the person count as
 * spent: each process reserves at most 64, for at most two minutes.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container */
kinfolk_status kinfolk_container_permits_left(const kinfolk_container *container, const char *record_id,
                                              uint32_t *permits);

/* Sets how many permits a person has left: for example more after a bad import has spent them, or none. _top_up_permits
 * gives as many as the person can hold. Both also replace what the store remembers of spent permits for the person's
 * addresses. Permits that other processes spent in the last minutes, and have not written to the store yet, are still
 * subtracted afterwards.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID
 *   KINFOLK_LIMIT_EXCEEDED       the person cannot hold so many: raise the limit first (kinfolk_container_set_permits)
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container */
kinfolk_status kinfolk_container_set_permits_left(const kinfolk_container *container, const char *record_id,
                                                  uint32_t permits);
kinfolk_status kinfolk_container_top_up_permits(const kinfolk_container *container, const char *record_id);

/* Changes how much work each person may cause in a day by private discovery in the container. There are two limits: the
 * multiplications of points, and the rows of the directory that are read, plus one for each bucket asked for. Rows
 * count whether or not they are sent. A row that is sent has 48 bytes. 0 derives a limit from the permits, as in a new
 * container: 8 multiplications and 400 rows for each permit that a person may hold, but at least 8,000,000 rows. For a
 * person without a verified address, the multiplications are reduced in the same ratio as the permits, and the rows to
 * a quarter. */
kinfolk_status kinfolk_container_set_private_work(const kinfolk_container *container, uint64_t multiplications_per_day,
                                                  uint64_t rows_per_day);

/* The limits of that work as they were set: 0 for a limit that is derived from the permits. Each output may be NULL. */
kinfolk_status kinfolk_container_private_work(const kinfolk_container *container, uint64_t *multiplications_per_day,
                                              uint64_t *rows_per_day);

/* Changes how many new record types and fields each person may add to the container's schema by saving records (50
 * unless changed; a new type counts as one). With 0 only the operator adds them: see kinfolk_schema_apply and
 * kinfolk_schema_add_field. */
kinfolk_status kinfolk_container_set_field_limit(const kinfolk_container *container, uint32_t fields);

/* How many new record types and fields each person may add at present. */
kinfolk_status kinfolk_container_field_limit(const kinfolk_container *container, uint32_t *fields);

/* What can be limited in a container, in bytes. Stored bytes count: those of the sealed records and sealed assets, with
 * their padding. The numbers never change. */
typedef enum kinfolk_quota {
    KINFOLK_QUOTA_USER = 0,            /* the private database of each user */
    KINFOLK_QUOTA_PUBLIC_DATABASE = 1, /* the public database */
    KINFOLK_QUOTA_CREATOR = 2,         /* what each user created in the public database */
    KINFOLK_QUOTA_ASSET = 3,           /* the size of a single asset, before it is sealed */
    KINFOLK_QUOTA_KEYVALUE = 4         /* the keys and values of each user's key-value store, before they are sealed:
                                        * at most 1,000,000 in any case */
} kinfolk_quota;

/* A quota of the environment that the handle was opened for. KINFOLK_NO_QUOTA says that there is no limit. An asset may
 * have 250,000,000 bytes unless this is changed; the other quotas have no limit.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a quota */
kinfolk_status kinfolk_container_quota(const kinfolk_container *container, kinfolk_quota quota, uint64_t *bytes);

/* Changes a quota; KINFOLK_NO_QUOTA removes the limit. Data that exceeds a new limit stays. Calls that add bytes then
 * fail with KINFOLK_QUOTA_EXCEEDED until enough is deleted, and an asset that is too large fails with
 * KINFOLK_LIMIT_EXCEEDED.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a quota; or bytes is above 9,223,372,036,854,775,807 and not
 *                                KINFOLK_NO_QUOTA */
kinfolk_status kinfolk_container_set_quota(const kinfolk_container *container, kinfolk_quota quota, uint64_t bytes);

/* Opens the account of a user record ID, for example after a report of abuse. Each call adds an entry to the audit log.
 * The entry is on disk before the call returns, also if nobody has the ID. `reason` says why in 1 to 1,024 bytes, for
 * example with the number of a ticket. No session can get from an ID to an account.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID; the reason is empty
 *   KINFOLK_LIMIT_EXCEEDED       the reason is longer than that
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container */
kinfolk_status kinfolk_container_find_account(const kinfolk_container *container, const char *record_id,
                                              const char *reason, kinfolk_account **account);

/* The operator's block: from now on neither of the two people finds the other. They cannot see the block and cannot end
 * it. _unblock ends it; blocks that the two people made stay. Blocking twice, or unblocking without a block, changes
 * nothing. The order of the two IDs does not matter.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID, or both are the same */
kinfolk_status kinfolk_container_block(const kinfolk_container *container, const char *record_id,
                                       const char *other_record_id);
kinfolk_status kinfolk_container_unblock(const kinfolk_container *container, const char *record_id,
                                         const char *other_record_id);

/* The operator's blocks, each pair once, without the blocks that people made. The call returns at most `limit` pairs,
 * after the pair `after_record_id` and `after_other_record_id`: the last pair of the page before, or NULL and NULL for
 * the first page. Texts are borrowed.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID, or one of the two is NULL and the other is not */
kinfolk_status kinfolk_container_operator_blocks(const kinfolk_container *container, const char *after_record_id,
                                                 const char *after_other_record_id, size_t limit,
                                                 kinfolk_operator_blocks **blocks);
size_t kinfolk_operator_blocks_count(const kinfolk_operator_blocks *blocks);
const char *kinfolk_operator_blocks_record_id(const kinfolk_operator_blocks *blocks, size_t index);
const char *kinfolk_operator_blocks_other_record_id(const kinfolk_operator_blocks *blocks, size_t index);
void kinfolk_operator_blocks_free(kinfolk_operator_blocks *blocks);

/* Statistics of the container, as of one moment. The call reads the whole container, which takes seconds for a million
 * people; other calls are not blocked meanwhile. */
kinfolk_status kinfolk_container_statistics(const kinfolk_container *container, kinfolk_statistics **statistics);

/* How many people have a user record ID. Of these: how many granted discoverability, denied it, and were never asked;
 * how many can be found now (they granted it and are not suspended); and how many are suspended. */
uint64_t kinfolk_statistics_people(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_granted(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_denied(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_undetermined(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_discoverable(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_suspended(const kinfolk_statistics *statistics);

/* How many people have spent permits that have not all grown back yet; the sum of the permits that these people have
 * not regained, including permits that a service has reserved for them; and how many people have no permit now for a
 * discovery of one new contact. */
uint64_t kinfolk_statistics_people_who_asked(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_permits_spent(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_people_without_permits(const kinfolk_statistics *statistics);

/* How many blocks people made, how many blocks the operator made, and how many look-ups of accounts are in the audit
 * log. */
uint64_t kinfolk_statistics_blocks_by_people(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_blocks_by_operator(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_account_lookups(const kinfolk_statistics *statistics);

/* How many bytes the private databases have together, and how many the public database has, as quotas count them; how
 * many assets the records have; and how many of those bytes the assets have. */
uint64_t kinfolk_statistics_private_bytes(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_public_bytes(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_assets(const kinfolk_statistics *statistics);
uint64_t kinfolk_statistics_asset_bytes(const kinfolk_statistics *statistics);

/* Each of the last 400 days on which there was a discovery, in order: when the day began (microseconds since 1970-01-01
 * 00:00 UTC), how many discoveries were answered, and how many were refused because permits were missing. Counts that
 * other services have not written to the store yet are not included. */
size_t kinfolk_statistics_activity_count(const kinfolk_statistics *statistics);
int64_t kinfolk_statistics_activity_day(const kinfolk_statistics *statistics, size_t index);
uint64_t kinfolk_statistics_activity_discoveries(const kinfolk_statistics *statistics, size_t index);
uint64_t kinfolk_statistics_activity_refusals(const kinfolk_statistics *statistics, size_t index);

/* Each day on which the number of people who had opted in changed, in order: when the day began, and the number at its
 * end. */
size_t kinfolk_statistics_opted_in_count(const kinfolk_statistics *statistics);
int64_t kinfolk_statistics_opted_in_day(const kinfolk_statistics *statistics, size_t index);
uint64_t kinfolk_statistics_opted_in_people(const kinfolk_statistics *statistics, size_t index);
void kinfolk_statistics_free(kinfolk_statistics *statistics);

/* Makes an account for each person in the CSV file `path`, signs the account in to the container, and stores the
 * person's decision about discoverability there. The first row names the columns given_name, family_name, email and
 * consent; only email is required. Several addresses in a cell are separated by " ::: ". The host vouches for the
 * addresses. A consent is yes, no or empty. `consent_text` and `consent_version` are the wording that the people were
 * shown, as in kinfolk_session_set_discoverability: a file with a consent column needs both; otherwise they may be
 * NULL.
 *
 * The import never takes an address from an account: a person with an address that an account has already is skipped
 * and reported. So run the same import again after an interruption. `progress` gets rows, at least every half second
 * while there is something to read; `total` is an estimate until the end, and 0 if the size of the file is not known;
 * it may be NULL. `report` may be NULL.
 *
 *   KINFOLK_UNKNOWN_ITEM         the file does not exist
 *   KINFOLK_INVALID_ARGUMENT     the file is not a file of people; it has consents, and no wording is given; the
 *                                wording or its version is empty, or only one of the two is given
 *   KINFOLK_LIMIT_EXCEEDED       the wording or its version is too long
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process read the file
 * If the call fails, the accounts that it has made stay. */
kinfolk_status kinfolk_container_import_people(const kinfolk_container *container, const char *path,
                                               const char *consent_text, const char *consent_version,
                                               kinfolk_progress_fn progress, void *context,
                                               kinfolk_people_import **report);

/* How many rows were read; how many accounts were made; how many of their people granted discoverability, denied it,
 * and have not decided; and how many rows, or addresses of rows, were skipped. */
size_t kinfolk_people_import_rows(const kinfolk_people_import *report);
size_t kinfolk_people_import_created(const kinfolk_people_import *report);
size_t kinfolk_people_import_granted(const kinfolk_people_import *report);
size_t kinfolk_people_import_denied(const kinfolk_people_import *report);
size_t kinfolk_people_import_undetermined(const kinfolk_people_import *report);
size_t kinfolk_people_import_skipped(const kinfolk_people_import *report);

/* The first 1,000 skipped rows and addresses: the line where the row begins, from 1; the name of the reason; and the
 * reason as a sentence, without any content of the file. A program may branch on the names, which never change:
 *
 *   "noAddress"         the row has no address
 *   "addressTaken"      an account has one of the addresses already
 *   "tooManyAddresses"  the row has more addresses than an account may have
 *   "nameTooLong"       a part of the name is longer than 1,024 bytes
 *   "unclearConsent"    the consent is neither yes, nor no, nor empty
 *   "unclosedQuote"     a quoted field of the row has no closing quotation mark
 *   "rowTooLong"        the row is longer than 256 KiB
 *
 * An address that is skipped has the name of its fault; the rest of its row is used: "notUTF8", "noAtSign",
 * "emptyLocalPart", "emptyDomain", "localPartTooLong", "addressTooLong", "misplacedDot", "quotedLocalPart",
 * "forbiddenCharacter", "mixedDirections", "addressLiteral", "malformedDomain" or "unqualifiedDomain". */
size_t kinfolk_people_import_skip_count(const kinfolk_people_import *report);
size_t kinfolk_people_import_skip_line(const kinfolk_people_import *report, size_t index);
const char *kinfolk_people_import_skip_name(const kinfolk_people_import *report, size_t index);
const char *kinfolk_people_import_skip_reason(const kinfolk_people_import *report, size_t index);
void kinfolk_people_import_free(kinfolk_people_import *report);

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

/* Signs an account in to a container. The first session of an account in a container makes its user record ID and its
 * two user records there.
 *
 *   KINFOLK_INVALID_ARGUMENT     account and container belong to different services
 *   KINFOLK_NOT_AUTHENTICATED    the account was erased, or it is suspended and has never used this container */
kinfolk_status kinfolk_session_open(const kinfolk_container *container, const kinfolk_account *account,
                                    kinfolk_session **session);

/* Signs an account in on a device, which the name identifies: 1 to 255 bytes that the application chooses, for example
 * random ones that it keeps in a file. Only the user sees it. Notifications wait for the device while no session of it
 * is open: see SUBSCRIPTIONS AND NOTIFICATIONS. The first session with a name makes the device. All sessions with the
 * name, in all processes, are one device: what one of them acknowledges does not come to the others, but if several
 * wait at the same time, each of them may get a notification. Otherwise as kinfolk_session_open.
 *
 *   KINFOLK_INVALID_ARGUMENT     the name is empty or too long
 *   KINFOLK_LIMIT_EXCEEDED       the user has 2,000 devices with names. (If some are sessions without a name, the one
 *                                that has been silent for longest is forgotten.)
 *   KINFOLK_NOT_AUTHENTICATED    also: the account is suspended, and the device is new */
kinfolk_status kinfolk_session_open_on_device(const kinfolk_container *container, const kinfolk_account *account,
                                              const char *device, kinfolk_session **session);

/* Opens a session without an account. It may read the public database, and nothing else. */
kinfolk_status kinfolk_session_open_anonymous(const kinfolk_container *container, kinfolk_session **session);

/* The present status of the account, read from the store. Fails only if an argument is NULL: that the store cannot be
 * reached is a status too. */
kinfolk_status kinfolk_session_account_status(const kinfolk_session *session, kinfolk_account_status *status);

/* The person's user record ID in this container. The text is borrowed from the session.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_user_record_id(const kinfolk_session *session, const char **id);

/* What the person decided about being found in this container.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_discoverability(const kinfolk_session *session,
                                               kinfolk_discoverability *discoverability);

/* Stores the person's decision, for example from the application's settings. Discoveries that begin after a revocation
 * has returned do not find the person. As the proof of consent the store keeps the moment, `consent_text` (the wording
 * that the person was shown, at most 16,384 bytes) and `consent_version` (the application's name for that wording, at
 * most 255 bytes). Neither may be NULL; with KINFOLK_DISCOVERABILITY_GRANTED neither may be empty. The last 50 decisions
 * of a person in the container are kept, and shown in the export; older ones are deleted.
 *
 *   KINFOLK_INVALID_ARGUMENT     the decision is neither granted nor denied; a grant without wording
 *   KINFOLK_LIMIT_EXCEEDED       the wording or its version is too long
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_set_discoverability(const kinfolk_session *session,
                                                   kinfolk_discoverability discoverability, const char *consent_text,
                                                   const char *consent_version);

/* Shows `consent_text` to the person and returns the answer: granted, denied, or undetermined if the person closed the
 * prompt without an answer. It runs on the calling thread. */
typedef kinfolk_discoverability (*kinfolk_prompt_fn)(const char *consent_text, void *context);

/* Asks the person through `prompt`, once: after the first answer, later calls return that answer and do not ask. The
 * call stores the answer as kinfolk_session_set_discoverability does, and fails as it does. It also fails with
 * KINFOLK_INVALID_ARGUMENT if the prompt returns none of the three values, and if the text or the version is empty,
 * whatever the answer. */
kinfolk_status kinfolk_session_request_discoverability(const kinfolk_session *session, const char *consent_text,
                                                       const char *consent_version, kinfolk_prompt_fn prompt,
                                                       void *context, kinfolk_discoverability *discoverability);

/* How many permits the person has left in this container, as kinfolk_container_permits_left counts them: how many new
 * contacts they may ask about now.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous */
kinfolk_status kinfolk_session_permits_left(const kinfolk_session *session, uint32_t *permits);

/* Blocks a person in this container: from now on neither can find the other, by any kind of search, and neither can
 * detect the block. Anybody who has the ID of a record can still fetch it. An ID that nobody has can be blocked too. A
 * person can block at most 1,000 others. _unblock ends a block that this person made. Blocking twice, or unblocking
 * without a block, changes nothing.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID; _block: it is the person's own
 *   KINFOLK_LIMIT_EXCEEDED       the person blocks 1,000 others already
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_block(const kinfolk_session *session, const char *record_id);
kinfolk_status kinfolk_session_unblock(const kinfolk_session *session, const char *record_id);

/* The IDs that this person blocked, sorted. Not the people who blocked this person, nor the blocks of the operator.
 * Texts are borrowed.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_blocked(const kinfolk_session *session, kinfolk_blocked **blocked);
size_t kinfolk_blocked_count(const kinfolk_blocked *blocked);
const char *kinfolk_blocked_record_id(const kinfolk_blocked *blocked, size_t index);
void kinfolk_blocked_free(kinfolk_blocked *blocked);

/* Everything that this container holds about the person, as JSON, which the application may give to the person: the
 * user record ID, the name under which others find the person here (null unless the person can be found), both user
 * records, every decision about discoverability, the people whom the person blocked, and what the person spent of
 * limits, in whole numbers. It reveals nothing about the account, other containers, addresses or actions of the
 * operator: those are in kinfolk_account_export. It works for a suspended account too. Free `json` with kinfolk_free.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased */
kinfolk_status kinfolk_session_export(const kinfolk_session *session, char **json);

/* Everything that this container holds about the person, as a tar archive (POSIX.1-2001, pax): the JSON text of
 * kinfolk_session_export as "export.json", and the files of all assets of the person's records in the folder "assets".
 * Otherwise as kinfolk_account_export_archive.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous, or its account was erased
 *   KINFOLK_CANCELLED            `write` returned false */
kinfolk_status kinfolk_session_export_archive(const kinfolk_session *session, kinfolk_write_fn write, void *context);

/* How many bytes the person has stored in this container, and how many the person may store. The first two are for the
 * private database, the last two for what the person created in the public database. A quota without a limit is
 * KINFOLK_NO_QUOTA. Assets that are being written count too. If there is a quota of a creator, *public_bytes includes
 * public records that were kept when an account with one of the person's addresses was erased, for 30 days, rounded up to
 * a sixteenth of the quota. Each output may be NULL.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_storage_use(const kinfolk_session *session, uint64_t *private_bytes,
                                           uint64_t *private_quota, uint64_t *public_bytes, uint64_t *public_quota);

/* Called after the account behind a session changed: it was suspended, resumed or erased, or its name, its addresses or
 * its consent in this container changed. The function runs on a thread of the service, one call at a time; one call may
 * stand for several changes. A change by another process is reported within about a second. */
typedef void (*kinfolk_account_changed_fn)(void *context);

/* Registers `changed` and replaces the function that was registered before; NULL only removes it. When this call, or
 * kinfolk_session_free, has returned, the function that was registered before is not running and will not run again,
 * unless the call was made from inside that function.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session is anonymous */
kinfolk_status kinfolk_session_on_account_changed(kinfolk_session *session, kinfolk_account_changed_fn changed,
                                                  void *context);

void kinfolk_session_free(kinfolk_session *session);


/* ---- Value ------------------------------------------------------------------------------------------------------ */

/* A value is a text, a number and so on, or a list of values of one type. Records take and return values:
 *
 *     static const char *const tags[] = { "garden", "roses" };
 *     const char *const *texts;
 *     size_t count;
 *     kinfolk_value *value;
 *
 *     kinfolk_value_new_string_list(tags, NULL, 2, &value);
 *     kinfolk_record_set_value(record, "tags", value);
 *     kinfolk_value_free(value);
 *
 *     kinfolk_record_get_value(record, "tags", &value);
 *     kinfolk_value_get_strings(value, &texts, NULL, &count);
 *     for (size_t i = 0; i < count; i++)
 *         printf("%s\n", texts[i]);
 *     kinfolk_value_free(value);
 *
 * A value belongs to the caller, who frees it with kinfolk_value_free. It never changes, and it depends on no other
 * handle: it stays as it is when the record that returned it is changed, saved or freed, and the record stays as it is
 * when the value is freed. A function that takes a value copies it, so a value can be used any number of times, also by
 * several threads at once. Values need no service. They can be made, read and freed in a forked child. */

/* The type of a value. A list holds values of one type; the number of a list type is the number of that type, plus
 * 16. */
typedef enum kinfolk_field_type {
    KINFOLK_STRING = 1,    /* UTF-8, which may hold U+0000 */
    KINFOLK_INT64 = 2,
    KINFOLK_DOUBLE = 3,    /* IEEE 754 binary64 with any bits, including those of NaN */
    KINFOLK_BOOLEAN = 4,
    KINFOLK_BYTES = 5,
    KINFOLK_DATE = 6,      /* microseconds since 1970-01-01 00:00 UTC, leap seconds not counted */
    KINFOLK_LOCATION = 7,  /* latitude -90 to 90 and longitude -180 to 180, in degrees, WGS 84 */
    KINFOLK_REFERENCE = 8, /* another record of the same database and zone, or a user record of this container */
    KINFOLK_ASSET = 9,     /* a file that was written to the same database and zone: see kinfolk_asset_new */
    KINFOLK_STRING_LIST = 17,
    KINFOLK_INT64_LIST = 18,
    KINFOLK_DOUBLE_LIST = 19,
    KINFOLK_BOOLEAN_LIST = 20,
    KINFOLK_BYTES_LIST = 21,
    KINFOLK_DATE_LIST = 22,
    KINFOLK_LOCATION_LIST = 23,
    KINFOLK_REFERENCE_LIST = 24,
    KINFOLK_ASSET_LIST = 25,
    KINFOLK_ARRAY = 32,        /* values of any types, in their order; for the key-value store only */
    KINFOLK_DICTIONARY = 33    /* values of any types, under texts; for the key-value store only */
} kinfolk_field_type;

/* What happens to a record that refers to another one when its target is deleted. The numbers never change. */
typedef enum kinfolk_reference_action {
    KINFOLK_REFERENCE_NONE = 0,        /* nothing; the target need not exist */
    KINFOLK_REFERENCE_DELETE_SELF = 1, /* the record is deleted with its target, which must exist */
    KINFOLK_REFERENCE_VALIDATE = 2     /* the target must exist, and cannot be deleted before the record */
} kinfolk_reference_action;

/* Make a value. A text and bytes may be NULL if their length is 0. A reference has the name of its target and an
 * action. Its zone may be NULL: then it is the zone of the record in which the value is set. A user record is named by
 * its user record ID; its action is KINFOLK_REFERENCE_NONE, and its zone is "_defaultZone". The value of an asset stays
 * valid when the asset's handle is freed.
 *
 *   KINFOLK_INVALID_ARGUMENT     a text is not UTF-8; a location is out of range or not a number; a reference has no
 *                                valid record name, zone or action; an asset is not complete: see kinfolk_asset_finish
 *   KINFOLK_LIMIT_EXCEEDED       the value is larger than 1 MB, counted as kinfolk_database_save counts */
kinfolk_status kinfolk_value_new_string(const char *text, size_t length, kinfolk_value **value);
kinfolk_status kinfolk_value_new_int64(int64_t number, kinfolk_value **value);
kinfolk_status kinfolk_value_new_double(double number, kinfolk_value **value);
kinfolk_status kinfolk_value_new_boolean(bool boolean, kinfolk_value **value);
kinfolk_status kinfolk_value_new_bytes(const uint8_t *bytes, size_t length, kinfolk_value **value);
kinfolk_status kinfolk_value_new_date(int64_t microseconds, kinfolk_value **value);
kinfolk_status kinfolk_value_new_location(double latitude, double longitude, kinfolk_value **value);
kinfolk_status kinfolk_value_new_reference(const char *name, const char *zone, kinfolk_reference_action action,
                                           kinfolk_value **value);
kinfolk_status kinfolk_value_new_asset(const kinfolk_asset *asset, kinfolk_value **value);

/* Make a list from arrays of `count` elements. If `count` is 0, the arrays may be NULL. The `lengths` of texts may be
 * NULL: then each text ends at its first NUL. The `zones` of references, or some of them, may be NULL as above. Without
 * `actions`, all actions are KINFOLK_REFERENCE_NONE. They fail as the functions for one value do; more than 1,000,000
 * values are KINFOLK_LIMIT_EXCEEDED. */
kinfolk_status kinfolk_value_new_string_list(const char *const *texts, const size_t *lengths, size_t count,
                                             kinfolk_value **value);
kinfolk_status kinfolk_value_new_int64_list(const int64_t *numbers, size_t count, kinfolk_value **value);
kinfolk_status kinfolk_value_new_double_list(const double *numbers, size_t count, kinfolk_value **value);
kinfolk_status kinfolk_value_new_boolean_list(const bool *booleans, size_t count, kinfolk_value **value);
kinfolk_status kinfolk_value_new_bytes_list(const uint8_t *const *bytes, const size_t *lengths, size_t count,
                                            kinfolk_value **value);
kinfolk_status kinfolk_value_new_date_list(const int64_t *microseconds, size_t count, kinfolk_value **value);
kinfolk_status kinfolk_value_new_location_list(const double *latitudes, const double *longitudes, size_t count,
                                               kinfolk_value **value);
kinfolk_status kinfolk_value_new_reference_list(const char *const *names, const char *const *zones,
                                                const kinfolk_reference_action *actions, size_t count,
                                                kinfolk_value **value);
kinfolk_status kinfolk_value_new_asset_list(const kinfolk_asset *const *assets, size_t count, kinfolk_value **value);

/* Make a value for the key-value store from other values, which are copied: an array, or a dictionary with a text for
 * each value. If `count` is 0, the arrays may be NULL. The `lengths` of texts may be NULL: then each text ends at its
 * first NUL. Values are texts, numbers, booleans, bytes, dates, lists of these, arrays and dictionaries.
 *
 *   KINFOLK_INVALID_ARGUMENT     a value is a location, a reference or an asset, or a list of these; a text is not
 *                                UTF-8, or is given twice (texts that differ only in their normalization form are the
 *                                same here); or more than 32 arrays and dictionaries would be inside each other
 *   KINFOLK_LIMIT_EXCEEDED       the value is larger than 1 MB, counted as kinfolk_keyvalue_set counts */
kinfolk_status kinfolk_value_new_array(const kinfolk_value *const *values, size_t count, kinfolk_value **value);
kinfolk_status kinfolk_value_new_dictionary(const char *const *texts, const size_t *lengths,
                                            const kinfolk_value *const *values, size_t count, kinfolk_value **value);

/* An element of an array, or of a dictionary in the order of its texts (by bytes), as a new handle. _text is the text
 * of an element of a dictionary, borrowed from the value. `length` may be NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     the value has another type; _text: `length` is NULL, and the text holds U+0000
 *   KINFOLK_UNKNOWN_ITEM         the value has no such element */
kinfolk_status kinfolk_value_get_element(const kinfolk_value *value, size_t index, kinfolk_value **element);
kinfolk_status kinfolk_value_get_text(const kinfolk_value *value, size_t index, const char **text, size_t *length);

/* The type of a value; 0, which is no type, for NULL. */
kinfolk_field_type kinfolk_value_type(const kinfolk_value *value);

/* The number of elements of a list, an array or a dictionary; 1 for other values. */
size_t kinfolk_value_count(const kinfolk_value *value);

/* Get all elements of a list as arrays, in one call; or the one element of a value that is not a list. The arrays and
 * the texts are borrowed from the value, and are never NULL, even if the list is empty. A NUL stands after each text
 * and after each element of bytes, which their `lengths` do not count. The `lengths` of texts may be NULL, and so
 * may the `zones` and `actions` of references. A zone is an empty text if the value was made without one.
 *
 *   KINFOLK_INVALID_ARGUMENT     the value has another type; or `lengths` is NULL, and a text holds U+0000 and so
 *                                would seem shorter than it is */
kinfolk_status kinfolk_value_get_strings(const kinfolk_value *value, const char *const **texts,
                                         const size_t **lengths, size_t *count);
kinfolk_status kinfolk_value_get_int64s(const kinfolk_value *value, const int64_t **numbers, size_t *count);
kinfolk_status kinfolk_value_get_doubles(const kinfolk_value *value, const double **numbers, size_t *count);
kinfolk_status kinfolk_value_get_booleans(const kinfolk_value *value, const bool **booleans, size_t *count);
kinfolk_status kinfolk_value_get_bytes(const kinfolk_value *value, const uint8_t *const **bytes,
                                       const size_t **lengths, size_t *count);
kinfolk_status kinfolk_value_get_dates(const kinfolk_value *value, const int64_t **microseconds, size_t *count);
kinfolk_status kinfolk_value_get_locations(const kinfolk_value *value, const double **latitudes,
                                           const double **longitudes, size_t *count);
kinfolk_status kinfolk_value_get_references(const kinfolk_value *value, const char *const **names,
                                            const char *const **zones, const kinfolk_reference_action **actions,
                                            size_t *count);

/* The asset at an index of a list; or, with the index 0, the one asset of a value that is not a list. `asset` gets a
 * new handle, to be freed with kinfolk_asset_free. `database` is the database that the value came from, in which the
 * functions of the asset read the content. If it is NULL, the content cannot be read. The call itself reads nothing.
 *
 *   KINFOLK_INVALID_ARGUMENT     the value has another type
 *   KINFOLK_UNKNOWN_ITEM         the list has no such index */
kinfolk_status kinfolk_value_get_asset(const kinfolk_value *value, size_t index, const kinfolk_database *database,
                                       kinfolk_asset **asset);

void kinfolk_value_free(kinfolk_value *value);


/* ---- Record ----------------------------------------------------------------------------------------------------- */

/* A record handle is a copy of a record: changing it changes nothing in the store until it is saved, and it does not
 * change when the record in the store does. A record needs no service until it is saved. */

/* The databases of an environment. The numbers never change. */
typedef enum kinfolk_database_scope {
    KINFOLK_DATABASE_PUBLIC = 0,  /* shared by all users; the grants of a record type say who may do what */
    KINFOLK_DATABASE_PRIVATE = 1, /* read and written by its own user */
    KINFOLK_DATABASE_NONE = 2     /* of a record that was not saved yet. No function takes it */
} kinfolk_database_scope;

/* Makes a record, which is not saved yet. Its type has 1 to 255 ASCII letters, digits and "_", and starts with a
 * letter; it need not exist yet. `name` is the record's name, or NULL for a random UUID ("5B8D...", 36 characters,
 * version 4 of RFC 9562, in capitals). `zone` is the zone that will hold the record, or NULL for "_defaultZone"; a
 * custom zone has to exist when the record is saved. Letter case matters in all three. Only user records have the type
 * "Users" and the name of a user record ID: they exist already, so fetch them.
 *
 *   KINFOLK_INVALID_ARGUMENT     the type is malformed; the name or the zone is not 1 to 255 printable ASCII
 *                                characters; the name begins with "_" and is not a user record ID in "_defaultZone"; or
 *                                the zone begins with "_" and is not "_defaultZone" */
kinfolk_status kinfolk_record_new(const char *type, const char *name, const char *zone, kinfolk_record **record);

/* The record's type, name and zone. _id is the same as _name. Texts are borrowed. */
const char *kinfolk_record_type(const kinfolk_record *record);
const char *kinfolk_record_name(const kinfolk_record *record);
const char *kinfolk_record_id(const kinfolk_record *record);
const char *kinfolk_record_zone(const kinfolk_record *record);

/* The name of the record to which this one belongs, its parent; NULL if it has none. Borrowed. The parent is in the
 * same zone. It need not exist, and its deletion does not delete this record. */
const char *kinfolk_record_parent(const kinfolk_record *record);

/* Sets the parent in the handle; NULL removes it. A save then changes it in the store.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a record name, or it is that of a user record */
kinfolk_status kinfolk_record_set_parent(kinfolk_record *record, const char *parent);

/* The database from which the record was fetched, or in which it was saved; KINFOLK_DATABASE_NONE if neither, and for
 * NULL. */
kinfolk_database_scope kinfolk_record_database(const kinfolk_record *record);

/* An opaque text that identifies this state of the record; NULL for a record that was not saved yet. Borrowed; it stays
 * valid after the record was saved. */
const char *kinfolk_record_change_tag(const kinfolk_record *record);

/* When the record was first and last saved, in microseconds since 1970-01-01 00:00 UTC, and by which users (user record
 * IDs, borrowed). 0 and NULL for a record that was not saved yet. The user is NULL if the account was erased and the
 * operator kept the record.
 *
 * A user record is created by the person's first session in the container. Of that moment only the day is kept: the
 * time is the start of the day. A user record that was never saved has this time as its last save, too, and its own
 * user as its creator and modifier. */
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

/* Set a field in the handle only; a save stores it. A field's name has 1 to 255 ASCII letters, digits and
 * "_", and starts with a letter. kinfolk_record_set_value sets a field of any type, also a list. For a reference, give
 * what kinfolk_value_new_reference takes. An asset has to be complete.
 *
 *   KINFOLK_INVALID_ARGUMENT     the name is malformed; a location is out of range or not a number; a reference has no
 *                                valid record name, zone or action; an asset is not complete
 *   KINFOLK_LIMIT_EXCEEDED       this value alone is larger than 1 MB; or the record has 1,000 other fields */
kinfolk_status kinfolk_record_set_string(kinfolk_record *record, const char *name, const char *text);
kinfolk_status kinfolk_record_set_int64(kinfolk_record *record, const char *name, int64_t number);
kinfolk_status kinfolk_record_set_double(kinfolk_record *record, const char *name, double number);
kinfolk_status kinfolk_record_set_boolean(kinfolk_record *record, const char *name, bool boolean);
kinfolk_status kinfolk_record_set_bytes(kinfolk_record *record, const char *name, const uint8_t *bytes,
                                        size_t length);
kinfolk_status kinfolk_record_set_date(kinfolk_record *record, const char *name, int64_t microseconds);
kinfolk_status kinfolk_record_set_location(kinfolk_record *record, const char *name, double latitude,
                                           double longitude);
kinfolk_status kinfolk_record_set_reference(kinfolk_record *record, const char *name, const char *target,
                                            const char *zone, kinfolk_reference_action action);
kinfolk_status kinfolk_record_set_asset(kinfolk_record *record, const char *name, const kinfolk_asset *asset);
kinfolk_status kinfolk_record_set_value(kinfolk_record *record, const char *name, const kinfolk_value *value);

/* Get the value of a field that is not a list. Texts and bytes are borrowed from the record; they stay valid when the
 * field is set again. The `zone` and the `action` of a reference may be NULL.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field
 *   KINFOLK_INVALID_ARGUMENT     the field is of another type; or the text holds U+0000 and so would seem shorter than
 *                                it is: see kinfolk_record_get_value */
kinfolk_status kinfolk_record_get_string(const kinfolk_record *record, const char *name, const char **text);
kinfolk_status kinfolk_record_get_int64(const kinfolk_record *record, const char *name, int64_t *number);
kinfolk_status kinfolk_record_get_double(const kinfolk_record *record, const char *name, double *number);
kinfolk_status kinfolk_record_get_boolean(const kinfolk_record *record, const char *name, bool *boolean);
kinfolk_status kinfolk_record_get_bytes(const kinfolk_record *record, const char *name, const uint8_t **bytes,
                                        size_t *length);
kinfolk_status kinfolk_record_get_date(const kinfolk_record *record, const char *name, int64_t *microseconds);
kinfolk_status kinfolk_record_get_location(const kinfolk_record *record, const char *name, double *latitude,
                                           double *longitude);
kinfolk_status kinfolk_record_get_reference(const kinfolk_record *record, const char *name, const char **target,
                                            const char **zone, kinfolk_reference_action *action);

/* The asset of a field that is not a list, as a new handle, to be freed with kinfolk_asset_free. `database` is the
 * database that the record came from, in which the functions of the asset read the content. If it is NULL, the content
 * cannot be read. The call itself reads nothing. For a list, see kinfolk_value_get_asset.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field
 *   KINFOLK_INVALID_ARGUMENT     the field is of another type */
kinfolk_status kinfolk_record_get_asset(const kinfolk_record *record, const char *name,
                                        const kinfolk_database *database, kinfolk_asset **asset);

/* The value of a field of any type, as a new handle, which the caller frees with kinfolk_value_free.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field */
kinfolk_status kinfolk_record_get_value(const kinfolk_record *record, const char *name, kinfolk_value **value);

/* Removes a field from the handle; a save then removes it from the store.
 *
 *   KINFOLK_UNKNOWN_ITEM         the record has no such field */
kinfolk_status kinfolk_record_remove(kinfolk_record *record, const char *name);

void kinfolk_record_free(kinfolk_record *record);


/* ---- Database --------------------------------------------------------------------------------------------------- */

/* A database, as one session sees it. The call reads nothing: who may read and write is checked by each of the
 * functions below, with the present state of the account. A database keeps its session's container open; it stays valid
 * when the session is freed.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a database's scope */
kinfolk_status kinfolk_session_database(const kinfolk_session *session, kinfolk_database_scope scope,
                                        kinfolk_database **database);

/* Fetches the record with this name in a zone; NULL is "_defaultZone". A user record is fetched by its user record ID.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a record name, or not the name of a zone
 *   KINFOLK_UNKNOWN_ITEM         the zone has no record with this name
 *   KINFOLK_ZONE_NOT_FOUND       the database has no such zone
 *   KINFOLK_NOT_AUTHENTICATED    private database: the session has no account in good standing */
kinfolk_status kinfolk_database_fetch(const kinfolk_database *database, const char *name, const char *zone,
                                      kinfolk_record **record);

/* Fetches several records, as they are at one moment. `names` has `count` names, at most 400, and `zones` the zone of
 * each; `zones` or some of them may be NULL for "_defaultZone". `records` gets a list with one result for each name, in
 * their order: the record, or the failure of this one. If the records before one have 2 MB (2,000,000 bytes, counted as
 * kinfolk_database_save counts), its result is KINFOLK_LIMIT_EXCEEDED: fetch the rest with another call.
 *
 *   KINFOLK_INVALID_ARGUMENT     one of the names is not a record name, or one of the zones not the name of a zone
 *   KINFOLK_LIMIT_EXCEEDED       there are more than 400 names
 *   KINFOLK_NOT_AUTHENTICATED    private database: the session has no account in good standing */
kinfolk_status kinfolk_database_fetch_records(const kinfolk_database *database, const char *const *names,
                                              const char *const *zones, size_t count, kinfolk_records **records);
size_t kinfolk_records_count(const kinfolk_records *records);

/* The record at an index, as a new handle. If this record could not be fetched, the call fails as
 * kinfolk_database_fetch does, or with KINFOLK_LIMIT_EXCEEDED as above.
 *
 *   KINFOLK_UNKNOWN_ITEM         the database has no such record; or the list has no such index */
kinfolk_status kinfolk_records_record(const kinfolk_records *records, size_t index, kinfolk_record **record);
void kinfolk_records_free(kinfolk_records *records);

/* What to do if the record was saved by another call since it was fetched. With all three policies, fields that this
 * record does not hold stay as they are in the store, unless they were removed with kinfolk_record_remove. */
typedef enum kinfolk_save_policy {
    KINFOLK_SAVE_IF_UNCHANGED = 0, /* fail with KINFOLK_SERVER_RECORD_CHANGED. A record that was not saved yet is saved
                                    * only if no record has its name */
    KINFOLK_SAVE_CHANGED_KEYS = 1, /* write the fields that were set or removed here; make a missing record */
    KINFOLK_SAVE_ALL_KEYS = 2      /* write all fields of this record; make a missing record */
} kinfolk_save_policy;

/* Saves a record. The handle then has the change tag, the times, the users and the fields of the record in the store.
 * If the save fails, the handle stays as it was.
 *
 *   KINFOLK_NOT_AUTHENTICATED     the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE    the grants of the record type do not allow it, or those of the target of a new
 *                                 reference with an action do not allow to write the target: see kinfolk_role_grant
 *   KINFOLK_UNKNOWN_ITEM          the record was deleted since it was fetched (KINFOLK_SAVE_IF_UNCHANGED); it belongs
 *                                 to another database or container; or nobody has this user record ID
 *   KINFOLK_REFERENCE_VIOLATION   a reference with KINFOLK_REFERENCE_DELETE_SELF or KINFOLK_REFERENCE_VALIDATE names a
 *                                 record that does not exist, or that the session may not read
 *   KINFOLK_ZONE_NOT_FOUND        the database has no such zone: see kinfolk_zone_save
 *   KINFOLK_SERVER_RECORD_CHANGED the change tag is stale, or a record that was not saved yet has the name of an
 *                                 existing record: see kinfolk_error_take_server_record
 *   KINFOLK_ASSET_NOT_AVAILABLE   an asset was deleted, was written to another database, or is another user's in the
 *                                 public database
 *   KINFOLK_QUOTA_EXCEEDED        the record would exceed a quota: see kinfolk_container_set_quota
 *   KINFOLK_INVALID_ARGUMENT      a reference or an asset is of another zone; a field has another type in the schema;
 *                                 the schema lacks the record type or a field, and may not grow (see RECORDS above);
 *                                 the record in the store has another record type; or the type is "Users" and the name
 *                                 is no user record ID, or the reverse
 *   KINFOLK_LIMIT_EXCEEDED        the record is larger than 1 MB: 1,000,000 bytes of field names and values, and 4
 *                                 for each text or bytes in a list (a reference and the parent count the target's
 *                                 name and 4, a reference to a user record 16, an asset 56); it has more than 1,000
 *                                 fields; it has more than 750 references with KINFOLK_REFERENCE_DELETE_SELF or
 *                                 KINFOLK_REFERENCE_VALIDATE; 750 other records refer to a target with
 *                                 KINFOLK_REFERENCE_DELETE_SELF; it needs more new types and fields than the person
 *                                 may add (kinfolk_container_set_field_limit); or the schema has as many types or
 *                                 fields as it may have */
kinfolk_status kinfolk_database_save(const kinfolk_database *database, kinfolk_record *record,
                                     kinfolk_save_policy policy);

/* Deletes the record with this name in a zone (NULL is "_defaultZone"), and all records that refer to it with
 * KINFOLK_REFERENCE_DELETE_SELF, and so on. `change_tag` is the tag that the record must still have, or NULL to delete
 * it in any case. A user record cannot be deleted. `deleted` gets a list of all records that were deleted and the
 * session may read, the one with this name first; it may be NULL.
 *
 *   KINFOLK_REFERENCE_VIOLATION   another record refers with KINFOLK_REFERENCE_VALIDATE to one that would be deleted
 *   KINFOLK_LIMIT_EXCEEDED        more than 10,000 records would be deleted, or more than 100,000 references between
 *                                 them
 *   KINFOLK_INVALID_ARGUMENT      this is not a record name, or not the name of a zone
 *   KINFOLK_UNKNOWN_ITEM          the zone has no record with this name
 *   KINFOLK_ZONE_NOT_FOUND        the database has no such zone
 *   KINFOLK_SERVER_RECORD_CHANGED the record has another change tag: see kinfolk_error_take_server_record
 *   KINFOLK_PERMISSION_FAILURE    the grants of the record type do not allow it; or it is a user record
 *   KINFOLK_NOT_AUTHENTICATED     the session has no account in good standing */
kinfolk_status kinfolk_database_delete(const kinfolk_database *database, const char *name, const char *zone,
                                       const char *change_tag, kinfolk_deleted **deleted);

/* Deleted records: their names, their zones and their record types. Texts are borrowed. */
size_t kinfolk_deleted_count(const kinfolk_deleted *deleted);
const char *kinfolk_deleted_name(const kinfolk_deleted *deleted, size_t index);
const char *kinfolk_deleted_zone(const kinfolk_deleted *deleted, size_t index);
const char *kinfolk_deleted_type(const kinfolk_deleted *deleted, size_t index);
void kinfolk_deleted_free(kinfolk_deleted *deleted);

/* How a record refers to another one. The numbers never change. */
typedef enum kinfolk_back_reference_kind {
    KINFOLK_BACK_REFERENCE_PARENT = 0,      /* the other record is its parent */
    KINFOLK_BACK_REFERENCE_DELETE_SELF = 1, /* a field has KINFOLK_REFERENCE_DELETE_SELF */
    KINFOLK_BACK_REFERENCE_VALIDATE = 2     /* a field has KINFOLK_REFERENCE_VALIDATE */
} kinfolk_back_reference_kind;

/* Lists the records that refer to the record with this name, in the zone `zone` (NULL for "_defaultZone"): first those
 * whose parent it is, then those with KINFOLK_REFERENCE_DELETE_SELF, then those with KINFOLK_REFERENCE_VALIDATE. A
 * record that refers to it in two ways is listed twice. Records that the session may not read are left out. A page has
 * at most `limit` records, 1 to 400; `after` is the page before, or NULL for the first one. A page without records is
 * the end.
 *
 *   KINFOLK_INVALID_ARGUMENT      this is not a record name or a zone, or the limit is another one
 *   KINFOLK_UNKNOWN_ITEM          the database has no record with this name
 *   KINFOLK_ZONE_NOT_FOUND        the database has no such zone
 *   KINFOLK_NOT_AUTHENTICATED     private database: the session has no account in good standing */
kinfolk_status kinfolk_database_back_references(const kinfolk_database *database, const char *name, const char *zone,
                                                const kinfolk_back_references *after, size_t limit,
                                                kinfolk_back_references **references);

/* The records of a page: their names, their record types and how they refer. They are in the zone of the record to
 * which they refer. Texts are borrowed. _kind is KINFOLK_BACK_REFERENCE_PARENT for an index past the end. */
size_t kinfolk_back_references_count(const kinfolk_back_references *references);
const char *kinfolk_back_references_name(const kinfolk_back_references *references, size_t index);
const char *kinfolk_back_references_type(const kinfolk_back_references *references, size_t index);
kinfolk_back_reference_kind kinfolk_back_references_kind(const kinfolk_back_references *references, size_t index);
void kinfolk_back_references_free(kinfolk_back_references *references);

void kinfolk_database_free(kinfolk_database *database);

/* Fetches the user record with this ID, or the session's own if `id` is NULL. kinfolk_database_fetch fetches it by its
 * ID, too.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID
 *   KINFOLK_UNKNOWN_ITEM         nobody has this ID in this container; or it is another person's private record
 *   KINFOLK_NOT_AUTHENTICATED    own or private record: the session is anonymous, or its account was erased;
 *                                private record: the account is suspended */
kinfolk_status kinfolk_record_fetch(const kinfolk_session *session, const char *id, kinfolk_database_scope scope,
                                    kinfolk_record **record);

/* Saves a record in the database from which it was fetched, and fails as kinfolk_database_save does.
 *
 *   KINFOLK_INVALID_ARGUMENT     the record was not saved yet, so it belongs to no database */
kinfolk_status kinfolk_record_save(const kinfolk_session *session, kinfolk_record *record,
                                   kinfolk_save_policy policy);


/* ---- Asset ------------------------------------------------------------------------------------------------------ */

/* See ASSETS AND QUOTAS above. A handle is an asset of a record, or a file that is being written and becomes an asset.
 * It keeps its database open. */

/* Begins to write a file to a database, for records of this zone; NULL is "_defaultZone". Nothing is stored before the
 * first pieces, and the call reads nothing.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a zone; or it is that of a custom zone, and the database is
 *                                public */
kinfolk_status kinfolk_asset_new(const kinfolk_database *database, const char *zone, kinfolk_asset **asset);

/* _write adds bytes to the end of the file. They may be NULL if `length` is 0. The library keeps about 1 MB in memory
 * before it writes to the store, so a failure can be that of earlier bytes. After a failure the upload has ended: what
 * was written is deleted, and its bytes no longer count.
 *
 * _add_file adds the content of a file of the disk, which must be a regular file. `progress` gets bytes; it may be
 * NULL. If it ends the call, the upload has ended too.
 *
 *   KINFOLK_LIMIT_EXCEEDED       the file would be larger than an asset may be (KINFOLK_QUOTA_ASSET)
 *   KINFOLK_QUOTA_EXCEEDED       there is no room for it in the database: see kinfolk_container_set_quota
 *   KINFOLK_ASSET_NOT_AVAILABLE  the upload has ended: it is complete, was cancelled, had a failure, or got no bytes
 *                                for 24 hours
 *   KINFOLK_ZONE_NOT_FOUND       the database has no such zone
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE   public database with a deployed schema: the grants let the caller create or write no
 *                                record with an asset; _add_file: the file system does not let this process read the
 *                                file
 *   KINFOLK_INVALID_ARGUMENT     this is an asset of a record; _add_file: the path leads to a folder, a device or
 *                                another special file
 *   KINFOLK_ASSET_FILE_NOT_FOUND _add_file: the file does not exist
 *   KINFOLK_ASSET_FILE_MODIFIED  _add_file: the file was changed while it was read */
kinfolk_status kinfolk_asset_write(kinfolk_asset *asset, const uint8_t *bytes, size_t length);
kinfolk_status kinfolk_asset_add_file(kinfolk_asset *asset, const char *path, kinfolk_progress_fn progress,
                                      void *context);

/* Completes the file. When the call returns KINFOLK_OK, the file is on disk, and records can have the asset. If no
 * record has it, it is deleted after 24 hours. On a complete asset the call does nothing. It fails as
 * kinfolk_asset_write does. */
kinfolk_status kinfolk_asset_finish(kinfolk_asset *asset);

/* Ends the upload, and deletes what was written of it. On a complete asset the call does nothing. */
kinfolk_status kinfolk_asset_cancel(kinfolk_asset *asset);

/* How many bytes the file has; before it is complete, how many were added. */
uint64_t kinfolk_asset_size(const kinfolk_asset *asset);

/* The SHA-256 (FIPS 180-4) of the file. `digest` has KINFOLK_DIGEST_LENGTH bytes.
 *
 *   KINFOLK_INVALID_ARGUMENT     the asset is not complete: see kinfolk_asset_finish */
kinfolk_status kinfolk_asset_sha256(const kinfolk_asset *asset, uint8_t *digest);

/* Reads bytes of the file, from `offset` on, into the memory of the caller. `buffer` has `capacity` bytes, and may be
 * NULL if that is 0. `count` gets how many bytes were read: fewer than `capacity` only at the end of the file, and 0 at
 * the end and beyond it. If the call fails, the content of `buffer` is not specified.
 *
 * Each call checks again whether the session may read the asset. After one part was read, reading the next one may
 * fail, because the last record of the asset was deleted in the meantime.
 *
 *   KINFOLK_INVALID_ARGUMENT     the asset is not complete, or was taken from its record without a database
 *   KINFOLK_ASSET_NOT_AVAILABLE  the database has no such asset, or the session may read no record that has it
 *   KINFOLK_NOT_AUTHENTICATED    private database: the session has no account in good standing
 *   KINFOLK_STORE_CORRUPT        the stored file is damaged */
kinfolk_status kinfolk_asset_read(const kinfolk_asset *asset, uint64_t offset, uint8_t *buffer, size_t capacity,
                                  size_t *count);

/* Writes the asset to a file of the disk. The file appears in one step, when it is complete and on disk. A file with
 * this name is replaced. `progress` gets bytes; it may be NULL. If it ends the call, there is no new file. The call
 * fails as kinfolk_asset_read does, and also with:
 *
 *   KINFOLK_ASSET_FILE_NOT_FOUND the folder of the file does not exist
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process make the file there
 *   KINFOLK_INVALID_ARGUMENT     also: the path leads to a folder, a device, a link or another special file */
kinfolk_status kinfolk_asset_save_to_file(const kinfolk_asset *asset, const char *path, kinfolk_progress_fn progress,
                                          void *context);

/* Frees a handle. If the file is not complete, its upload is cancelled. A complete asset stays in the database. */
void kinfolk_asset_free(kinfolk_asset *asset);


/* ---- Batch ------------------------------------------------------------------------------------------------------ */

/* Several saves and deletions in one transaction, with one wait for the disk and a result for each item:
 *
 *     kinfolk_batch *batch;
 *     size_t failed;
 *
 *     kinfolk_batch_new(&batch);
 *     for (size_t i = 0; i < count; i++)
 *         kinfolk_batch_save(batch, KINFOLK_OPERATION_CREATE, notes[i]);
 *     if (kinfolk_batch_run(batch, database, false, &failed) != KINFOLK_OK)
 *         fprintf(stderr, "Nothing was saved: %s\n", kinfolk_error_message());
 *     else if (failed > 0)
 *         for (size_t i = 0; i < kinfolk_batch_count(batch); i++)
 *             if (kinfolk_batch_status(batch, i) != KINFOLK_OK)
 *                 fprintf(stderr, "%s: %s\n", kinfolk_batch_name(batch, i), kinfolk_error_message());
 *     kinfolk_batch_free(batch); */

/* What an item of a batch does. A change tag identifies the state in which a record was fetched. UPDATE, REPLACE and
 * DELETE need one, and fail with KINFOLK_SERVER_RECORD_CHANGED if the record in the store has another. FORCE_UPDATE,
 * FORCE_REPLACE and FORCE_DELETE ignore it. The numbers never change.
 *
 *                     the store has no record   it has the tag's record   it has another state
 *     CREATE          makes it                  serverRecordChanged       serverRecordChanged
 *     UPDATE          unknownItem               writes changed fields     serverRecordChanged
 *     FORCE_UPDATE    makes it                  writes changed fields     writes changed fields
 *     REPLACE         unknownItem               replaces all fields       serverRecordChanged
 *     FORCE_REPLACE   makes it                  replaces all fields       replaces all fields
 *     DELETE          unknownItem               deletes it                serverRecordChanged
 *     FORCE_DELETE    succeeds                  deletes it                deletes it
 *
 * Changed fields are those that were set or removed in the handle since the record was fetched; other fields stay as
 * they are in the store. The replacing operations remove the fields that the handle does not have. */
typedef enum kinfolk_operation {
    KINFOLK_OPERATION_CREATE = 1,
    KINFOLK_OPERATION_UPDATE = 2,
    KINFOLK_OPERATION_FORCE_UPDATE = 3,
    KINFOLK_OPERATION_REPLACE = 4,
    KINFOLK_OPERATION_FORCE_REPLACE = 5,
    KINFOLK_OPERATION_DELETE = 6,
    KINFOLK_OPERATION_FORCE_DELETE = 7
} kinfolk_operation;

/* Makes an empty batch. It needs no service. */
kinfolk_status kinfolk_batch_new(kinfolk_batch **batch);

/* Adds an item that saves a record. The record is copied: later changes of the handle do not change the batch, and the
 * run of the batch does not change the handle. Adding an item to a batch that was run removes its results.
 *
 *   KINFOLK_INVALID_ARGUMENT     the operation is not one of the five that save */
kinfolk_status kinfolk_batch_save(kinfolk_batch *batch, kinfolk_operation operation, const kinfolk_record *record);

/* Adds an item that deletes the record with this name in a zone; NULL is "_defaultZone". KINFOLK_OPERATION_DELETE needs
 * the tag that the record must still have; for KINFOLK_OPERATION_FORCE_DELETE `change_tag` is ignored and may be NULL.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a record name, or not the name of a zone; or the operation is not one of
 *                                the two that delete */
kinfolk_status kinfolk_batch_delete(kinfolk_batch *batch, kinfolk_operation operation, const char *name,
                                    const char *zone, const char *change_tag);

/* Runs the batch, in one transaction. If it returns KINFOLK_OK, each item has a result, and `failed`, which may be
 * NULL, gets how many of them failed. If it returns something else, nothing was changed and there are no results.
 *
 * `is_atomic` says that everything or nothing is changed: if one item fails, the items that were not the cause have the
 * result KINFOLK_BATCH_REQUEST_FAILED. Otherwise each item is done or fails alone. References are checked when all
 * items are done. Items fail with KINFOLK_LIMIT_EXCEEDED from the one on with which the batch would delete more than
 * 10,000 records, or set more than 10,000 references with an action.
 *
 * A batch can be run again, for example after KINFOLK_SERVICE_UNAVAILABLE: then it has the results of the last run.
 *
 *   KINFOLK_LIMIT_EXCEEDED       the batch has more than 400 items; or its records have more than 2 MB in all
 *                                (2,000,000 bytes, counted as kinfolk_database_save counts)
 *   KINFOLK_INVALID_ARGUMENT     two items are for the same record
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_batch_run(kinfolk_batch *batch, const kinfolk_database *database, bool is_atomic,
                                 size_t *failed);

/* The number of items, and the name and the zone of an item's record. The texts are borrowed. */
size_t kinfolk_batch_count(const kinfolk_batch *batch);
const char *kinfolk_batch_name(const kinfolk_batch *batch, size_t index);
const char *kinfolk_batch_zone(const kinfolk_batch *batch, size_t index);

/* The result of an item. The call fails as the item did, so kinfolk_error_message() and
 * kinfolk_error_take_server_record() describe this failure. An item fails as kinfolk_database_save or
 * kinfolk_database_delete does, and also with:
 *
 *   KINFOLK_BATCH_REQUEST_FAILED another item of an atomic batch failed; that one says why
 *   KINFOLK_INVALID_ARGUMENT     the operation needs a change tag, and the record has none
 *   KINFOLK_UNKNOWN_ITEM         also: the batch has no such index, or has no results */
kinfolk_status kinfolk_batch_status(const kinfolk_batch *batch, size_t index);

/* The record of an item as it was saved, with its new change tag, as a new handle; NULL for a deletion. The call fails
 * as kinfolk_batch_status does. */
kinfolk_status kinfolk_batch_record(const kinfolk_batch *batch, size_t index, kinfolk_record **record);

/* The records that the last run deleted and the session may read: those of the items, and those that referred to one of
 * them with KINFOLK_REFERENCE_DELETE_SELF. */
kinfolk_status kinfolk_batch_deleted(const kinfolk_batch *batch, kinfolk_deleted **deleted);

void kinfolk_batch_free(kinfolk_batch *batch);


/* ---- Zones and changes ------------------------------------------------------------------------------------------ */

/* See ZONES AND CHANGES above. A zone is identified by its name: 1 to 255 printable ASCII characters (0x20 to 0x7e),
 * unique in its database. Names that begin with "_" are reserved. Letter case matters. */

/* Makes a custom zone in a private database. If there is a zone with this name, the call changes nothing.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a custom zone; or the database is public
 *   KINFOLK_LIMIT_EXCEEDED       the database has 1,000 custom zones
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_zone_save(const kinfolk_database *database, const char *zone);

/* Deletes a custom zone with all its records, however many they are. When the call returns, the records cannot be read
 * any more, because the key of the zone is gone. A thread of the service removes their rows from the store afterwards;
 * if the service is closed before that, the next one continues. A new zone with the same name begins empty.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a custom zone; or the database is public
 *   KINFOLK_ZONE_NOT_FOUND       the database has no such zone
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_zone_delete(const kinfolk_database *database, const char *zone);

/* The zones of a database: "_defaultZone", which every database has, and then the custom zones in the order in which
 * they were made. Names are borrowed from the list.
 *
 *   KINFOLK_NOT_AUTHENTICATED    private database: the session has no account in good standing */
kinfolk_status kinfolk_zones(const kinfolk_database *database, kinfolk_zone_list **zones);
size_t kinfolk_zone_list_count(const kinfolk_zone_list *zones);
const char *kinfolk_zone_list_name(const kinfolk_zone_list *zones, size_t index);
void kinfolk_zone_list_free(kinfolk_zone_list *zones);

/* A page of the changes of a custom zone since a token: the records that were saved, in the order of their last
 * changes, and then those that were deleted. `token` has the bytes of kinfolk_changes_token, at most 256; if
 * `token_length` is 0, the changes begin with all records of the zone, without those that were deleted before. `limit`
 * is about how many changes a page has, 1 to 400; 0 is 400. A page can have more than that, because it holds whole
 * batches. It ends after 2 MB of records (2,000,000 bytes, counted as kinfolk_database_save counts), but holds at least
 * one batch.
 *
 *   KINFOLK_CHANGE_TOKEN_EXPIRED the token is too old, or was made for something else: discard the copy of the zone,
 *                                and begin without a token
 *   KINFOLK_ZONE_NOT_FOUND       the database has no such zone, which is so for every custom zone in a public database
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a custom zone; the token has more than 256 bytes; or the limit
 *                                is more than 400
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_zone_changes(const kinfolk_database *database, const char *zone, const uint8_t *token,
                                    size_t token_length, size_t limit, kinfolk_changes **changes);

/* A page of the changes of a private database since a token: the custom zones that were made or in which records
 * changed, in the order of their last changes, and then the zones that were deleted and not made again. The token is
 * another one than those of its zones. If `token_length` is 0, the changes begin with all custom zones.
 *
 *   KINFOLK_CHANGE_TOKEN_EXPIRED as above: discard the copy of the database
 *   KINFOLK_INVALID_ARGUMENT     the database is public; or the token has more than 256 bytes
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_database_changes(const kinfolk_database *database, const uint8_t *token, size_t token_length,
                                        kinfolk_changes **changes);

/* The number of changes in a page; it may be 0. _zone is the zone of a change: of kinfolk_zone_changes, the zone that
 * holds the record; of kinfolk_database_changes, the zone that was made, changed or deleted. _is_deleted says whether
 * the record, or the zone, was deleted. The name is borrowed. */
size_t kinfolk_changes_count(const kinfolk_changes *changes);
const char *kinfolk_changes_zone(const kinfolk_changes *changes, size_t index);
bool kinfolk_changes_is_deleted(const kinfolk_changes *changes, size_t index);

/* The record of a change, as a new handle; NULL if the record was deleted, and for a change of
 * kinfolk_database_changes.
 *
 *   KINFOLK_UNKNOWN_ITEM         the page has no such index */
kinfolk_status kinfolk_changes_record(const kinfolk_changes *changes, size_t index, kinfolk_record **record);

/* The name and the type that a deleted record had. NULL if the record was not deleted, and for a change of
 * kinfolk_database_changes. Texts are borrowed. */
const char *kinfolk_changes_deleted_name(const kinfolk_changes *changes, size_t index);
const char *kinfolk_changes_deleted_type(const kinfolk_changes *changes, size_t index);

/* The token to pass to the next call: at most 256 bytes, borrowed from `changes`. It is sealed, so a program that
 * stores it cannot read it. */
kinfolk_status kinfolk_changes_token(const kinfolk_changes *changes, const uint8_t **token, size_t *length);

/* Whether there may be more changes after this page. If so, call again with its token. The next page may be empty. */
bool kinfolk_changes_more_coming(const kinfolk_changes *changes);
void kinfolk_changes_free(kinfolk_changes *changes);


/* ---- Query ------------------------------------------------------------------------------------------------------- */

/* See QUERIES above. */

/* Makes a query for the records of a type that satisfy a predicate: a text of at most 16,384 bytes. NULL or an empty
 * text finds all records of the type. The call needs no service, and only checks the record type. The predicate is read
 * when the query is first run, counted or explained, because its values are bound after this call.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a record type, or it is "Users"
 *   KINFOLK_LIMIT_EXCEEDED       the predicate is too long */
kinfolk_status kinfolk_query_new(const char *record_type, const char *predicate, kinfolk_query **query);

/* Binds a value to the next placeholder of the predicate: the first call to the first placeholder, and so on. %@ takes
 * any value, and a list after IN and BETWEEN; %K takes a text, the name of a field. */
kinfolk_status kinfolk_query_bind(kinfolk_query *query, const kinfolk_value *value);

/* Orders the records by a field, in ascending or descending order; by distance from a location, from near to far. The
 * first call gives the order, the next one that of records with equal values, and so on. Records without a value come
 * first in ascending order and by distance, and last in descending order. Without a call, the order is not specified.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a field; records cannot be ordered by it (of the fields that
 *                                every record has, only by createdAt and modifiedAt); or the location is out of range
 *   KINFOLK_LIMIT_EXCEEDED       the query has 8 orders */
kinfolk_status kinfolk_query_sort(kinfolk_query *query, const char *field, bool is_ascending);
kinfolk_status kinfolk_query_sort_by_distance(kinfolk_query *query, const char *field, double latitude,
                                              double longitude);

/* Finds only the records of one zone. NULL, and a query without this call, finds those of all zones of the database.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not the name of a zone */
kinfolk_status kinfolk_query_zone(kinfolk_query *query, const char *zone);

/* Returns the records with only these fields; others are left out of them. Without this call, records have all their
 * fields; if `count` is 0, they have none. A later call replaces an earlier one.
 *
 *   KINFOLK_LIMIT_EXCEEDED       there are more than 1,000,000 names */
kinfolk_status kinfolk_query_keys(kinfolk_query *query, const char *const *keys, size_t count);

/* Sets how many records a page has at most: 1 to 400. 0, and a query without this call, is 100.
 *
 *   KINFOLK_INVALID_ARGUMENT     the limit is more than 400 */
kinfolk_status kinfolk_query_limit(kinfolk_query *query, size_t limit);

/* Runs a query, and returns a page of the records that it finds and the session may read. `cursor` has the bytes of
 * kinfolk_page_cursor of the page before; if `cursor_length` is 0, it is the first page. A page ends after 2 MB of
 * records (2,000,000 bytes, counted as kinfolk_database_save counts), but has at least one. A query can be run any
 * number of times, on any database, and by several threads at once.
 *
 *   KINFOLK_INVALID_ARGUMENT     the predicate is not valid: the message says where; there are more or fewer values
 *                                than placeholders; the record type has no such field; a value has another type than
 *                                its field; or the cursor belongs to another query, zone or user
 *   KINFOLK_LIMIT_EXCEEDED       the query would read more than 10,000 records because it lacks an index, which the
 *                                message names; the predicate is nested more than 64 deep, or has more than 1,000
 *                                comparisons and values of lists, where a distance counts as 20; or the values have
 *                                more than 1 MB
 *   KINFOLK_UNKNOWN_ITEM         the schema has no such record type
 *   KINFOLK_ZONE_NOT_FOUND       the database has no such zone
 *   KINFOLK_PERMISSION_FAILURE   the session may read no records of the type
 *   KINFOLK_NOT_AUTHENTICATED    private database: the session has no account in good standing */
kinfolk_status kinfolk_query_run(const kinfolk_query *query, const kinfolk_database *database, const uint8_t *cursor,
                                 size_t cursor_length, kinfolk_page **page);

/* Counts the records that a query finds and the session may read. It reads no records where indexes answer the
 * predicate. It fails as kinfolk_query_run does. */
kinfolk_status kinfolk_query_count(const kinfolk_query *query, const kinfolk_database *database, size_t *count);

/* Runs the first page of a query, and says how it was answered. It fails as kinfolk_query_run does, except if the query
 * would read more than 10,000 records because it lacks an index: then kinfolk_explanation_exceeds_limit returns true. */
kinfolk_status kinfolk_query_explain(const kinfolk_query *query, const kinfolk_database *database,
                                     kinfolk_explanation **explanation);
void kinfolk_query_free(kinfolk_query *query);

/* The number of records of a page; it may be 0. */
size_t kinfolk_page_count(const kinfolk_page *page);

/* The record at an index, as a new handle.
 *
 *   KINFOLK_UNKNOWN_ITEM         the page has no such index */
kinfolk_status kinfolk_page_record(const kinfolk_page *page, size_t index, kinfolk_record **record);

/* The cursor to pass to the next call, borrowed from `page`; NULL and a length of 0 on the last page. It is sealed, so
 * a program that stores it cannot read it. It is valid for the same query and zone of the same user, also in another
 * process, and survives a rotation of keys, and changes and deletions of the records before it. */
kinfolk_status kinfolk_page_cursor(const kinfolk_page *page, const uint8_t **cursor, size_t *length);
void kinfolk_page_free(kinfolk_page *page);

/* How a query was answered. The indexes that it used, and those that it lacked: they would spare it from reading
 * records. Each is a text, "SORTABLE start" for example: the kind and the field. It is "SORTABLE start (being built)"
 * if the schema has the index already and it is not complete. Texts are borrowed. */
size_t kinfolk_explanation_index_count(const kinfolk_explanation *explanation);
const char *kinfolk_explanation_index(const kinfolk_explanation *explanation, size_t index);
size_t kinfolk_explanation_missing_count(const kinfolk_explanation *explanation);
const char *kinfolk_explanation_missing(const kinfolk_explanation *explanation, size_t index);

/* Whether the query fails with KINFOLK_LIMIT_EXCEEDED, because it would read more than 10,000 records. Whether some
 * conditions are evaluated on the records themselves, and whether the records are sorted, because no index has their
 * order. How many entries of indexes were read, how many records were opened, also to find a place in a SORTABLE index,
 * and how many of these did not satisfy the predicate. */
bool kinfolk_explanation_exceeds_limit(const kinfolk_explanation *explanation);
bool kinfolk_explanation_evaluates_records(const kinfolk_explanation *explanation);
bool kinfolk_explanation_sorts_records(const kinfolk_explanation *explanation);
size_t kinfolk_explanation_entries_read(const kinfolk_explanation *explanation);
size_t kinfolk_explanation_records_opened(const kinfolk_explanation *explanation);
size_t kinfolk_explanation_records_discarded(const kinfolk_explanation *explanation);
void kinfolk_explanation_free(kinfolk_explanation *explanation);


/* ---- Subscription ----------------------------------------------------------------------------------------------- */

/* See SUBSCRIPTIONS AND NOTIFICATIONS above. A subscription is a handle in memory until it is saved. It needs no
 * service. Its ID has 1 to 255 printable ASCII characters (0x20 to 0x7e), and is unique among the subscriptions of the
 * user in a database. */

/* What a subscription is about. The numbers are those of CloudKit. */
typedef enum kinfolk_subject {
    KINFOLK_SUBSCRIPTION_QUERY = 1,   /* records that satisfy a predicate */
    KINFOLK_SUBSCRIPTION_ZONE = 2,    /* a custom zone */
    KINFOLK_SUBSCRIPTION_DATABASE = 3 /* a private database */
} kinfolk_subject;

/* When a query subscription makes a notification: flags, combined by OR, at least one of the first three. The numbers
 * are those of CloudKit. */
#define KINFOLK_FIRES_ON_RECORD_CREATION 1u /* when a record is created that satisfies the predicate */
#define KINFOLK_FIRES_ON_RECORD_UPDATE 2u   /* when a record is changed and then satisfies the predicate */
#define KINFOLK_FIRES_ON_RECORD_DELETION 4u /* when a record is deleted that satisfied the predicate */
#define KINFOLK_FIRES_ONCE 8u               /* only once: the first notification deletes the subscription */

/* Makes a subscription to the records of a query: its record type, its predicate with the bound values, its zone, and
 * the keys of kinfolk_query_keys as the desired keys. The call copies the query. The predicate is tested on the state
 * in which the service finds the record after a change, which may be that of a later change; for a deletion, on the
 * last state. `id` may be NULL: then the subscription gets a random UUID. So it does in the two functions below.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is malformed; the options are unknown or name no change; the predicate is not
 *                                valid: see kinfolk_query_run; or the query has an order
 *   KINFOLK_LIMIT_EXCEEDED       the predicate is too large: see kinfolk_query_run; or there are too many desired keys:
 *                                see kinfolk_subscription_set_list */
kinfolk_status kinfolk_subscription_new_query(const kinfolk_query *query, uint32_t options, const char *id,
                                              kinfolk_subscription **subscription);

/* Makes a subscription to all changes of a custom zone.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is malformed; or this is not the name of a custom zone */
kinfolk_status kinfolk_subscription_new_zone(const char *zone, const char *id, kinfolk_subscription **subscription);

/* Makes a subscription to all changes of the private database in which it is saved.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is malformed */
kinfolk_status kinfolk_subscription_new_database(const char *id, kinfolk_subscription **subscription);

/* _id, _type (0 for NULL) and _options (0 unless it is a query subscription) are as they were given. _zone is NULL if
 * the subscription is about all zones of its database. _record_type and _predicate are NULL unless it is a query
 * subscription. The predicate is the condition in the library's own words: "number >= 3 AND due < %@". Values that a
 * text can express are part of it. Texts are borrowed. */
const char *kinfolk_subscription_id(const kinfolk_subscription *subscription);
kinfolk_subject kinfolk_subscription_type(const kinfolk_subscription *subscription);
uint32_t kinfolk_subscription_options(const kinfolk_subscription *subscription);
const char *kinfolk_subscription_zone(const kinfolk_subscription *subscription);
const char *kinfolk_subscription_record_type(const kinfolk_subscription *subscription);
const char *kinfolk_subscription_predicate(const kinfolk_subscription *subscription);

/* The values of the placeholders that are left in the predicate, in their order: dates, bytes, locations and the like.
 * With them the predicate makes the same query again. _argument returns a new handle.
 *
 *   KINFOLK_UNKNOWN_ITEM         the predicate has no such placeholder */
size_t kinfolk_subscription_argument_count(const kinfolk_subscription *subscription);
kinfolk_status kinfolk_subscription_argument(const kinfolk_subscription *subscription, size_t index,
                                             kinfolk_value **value);

/* What the notifications of a subscription tell, as in CKSubscription.NotificationInfo. Kinfolk carries these values to
 * the devices. What a device shows is up to the application. The numbers never change. */
typedef enum kinfolk_info_text {
    KINFOLK_INFO_ALERT_BODY = 1,                    /* the text of an alert */
    KINFOLK_INFO_ALERT_LOCALIZATION_KEY = 2,        /* the key of a localized text */
    KINFOLK_INFO_TITLE = 3,                         /* the title of an alert */
    KINFOLK_INFO_TITLE_LOCALIZATION_KEY = 4,        /* the key of a localized title */
    KINFOLK_INFO_SUBTITLE = 5,                      /* the subtitle of an alert */
    KINFOLK_INFO_SUBTITLE_LOCALIZATION_KEY = 6,     /* the key of a localized subtitle */
    KINFOLK_INFO_ALERT_ACTION_LOCALIZATION_KEY = 7, /* the key of the localized title of an alert's button */
    KINFOLK_INFO_ALERT_LAUNCH_IMAGE = 8,            /* the name of an image to show while the application starts */
    KINFOLK_INFO_SOUND_NAME = 9,                    /* the name of a sound */
    KINFOLK_INFO_CATEGORY = 10,                     /* the category of an alert, which decides its buttons */
    KINFOLK_INFO_COLLAPSE_ID_KEY = 11               /* which notifications the application shows as one */
} kinfolk_info_text;

/* Names of fields of the record. A notification has the values of the last three as texts: those of strings, numbers,
 * booleans and dates, and an empty text otherwise. */
typedef enum kinfolk_info_list {
    KINFOLK_INFO_DESIRED_KEYS = 1,               /* fields whose values the notification has */
    KINFOLK_INFO_ALERT_LOCALIZATION_ARGS = 2,    /* fields whose values go into the localized text */
    KINFOLK_INFO_TITLE_LOCALIZATION_ARGS = 3,    /* fields whose values go into the localized title */
    KINFOLK_INFO_SUBTITLE_LOCALIZATION_ARGS = 4  /* fields whose values go into the localized subtitle */
} kinfolk_info_list;

/* Flags of the application. */
typedef enum kinfolk_info_flag {
    KINFOLK_INFO_SHOULD_BADGE = 1,                  /* the application's badge counts the notification */
    KINFOLK_INFO_SHOULD_SEND_CONTENT_AVAILABLE = 2, /* the application should fetch content in the background */
    KINFOLK_INFO_SHOULD_SEND_MUTABLE_CONTENT = 3    /* the application may change the alert before it is shown */
} kinfolk_info_flag;

/* Set what the notifications tell. A later call replaces an earlier one. An empty text or list is the same as none.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is no such text, list or flag; or not the name of a field
 *   KINFOLK_LIMIT_EXCEEDED       all texts and names would have more than 4,096 bytes, or a list more than 100 names */
kinfolk_status kinfolk_subscription_set_text(kinfolk_subscription *subscription, kinfolk_info_text which,
                                             const char *text);
kinfolk_status kinfolk_subscription_set_list(kinfolk_subscription *subscription, kinfolk_info_list which,
                                             const char *const *keys, size_t count);
kinfolk_status kinfolk_subscription_set_flag(kinfolk_subscription *subscription, kinfolk_info_flag which, bool flag);

/* What was set: an empty text, an empty list, or false, unless it was. _text is NULL for no such text, and is borrowed.
 * _get_list gets a value of the type KINFOLK_STRING_LIST, as a new handle.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is no such list */
const char *kinfolk_subscription_text(const kinfolk_subscription *subscription, kinfolk_info_text which);
kinfolk_status kinfolk_subscription_get_list(const kinfolk_subscription *subscription, kinfolk_info_list which,
                                             kinfolk_value **keys);
bool kinfolk_subscription_flag(const kinfolk_subscription *subscription, kinfolk_info_flag which);

void kinfolk_subscription_free(kinfolk_subscription *subscription);

/* Saves a subscription of the session's user in a database, and replaces the one with the same ID. From then on the
 * session is a device of the user, if it was none before.
 *
 *   KINFOLK_UNKNOWN_ITEM         the schema has no such record type
 *   KINFOLK_INVALID_ARGUMENT     the record type has no field of the predicate (desired keys are not checked); a value
 *                                has another type than its field; or the database is public, and this is not a query
 *                                subscription
 *   KINFOLK_PERMISSION_FAILURE   the session may read no records of the type
 *   KINFOLK_ZONE_NOT_FOUND       the database has no such zone
 *   KINFOLK_LIMIT_EXCEEDED       the subscription has more than 16,384 bytes; or the user would have more than 1,000
 *                                subscriptions in the database, or more than 2,000 devices
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_subscription_save(const kinfolk_database *database, const kinfolk_subscription *subscription);

/* Deletes a subscription of the session's user, with its notifications that wait.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is malformed
 *   KINFOLK_UNKNOWN_ITEM         the user has no subscription with this ID in the database
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_subscription_delete(const kinfolk_database *database, const char *id);

/* The subscription of the session's user with this ID, as a new handle. Fails as kinfolk_subscription_delete does. */
kinfolk_status kinfolk_subscription_fetch(const kinfolk_database *database, const char *id,
                                          kinfolk_subscription **subscription);

/* All subscriptions of the session's user in a database, in the order of their IDs (by bytes). _subscription returns a
 * new handle, which may be changed and saved.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_UNKNOWN_ITEM         _subscription: the list has no such index */
kinfolk_status kinfolk_subscriptions(const kinfolk_database *database, kinfolk_subscription_list **subscriptions);
size_t kinfolk_subscription_list_count(const kinfolk_subscription_list *subscriptions);
kinfolk_status kinfolk_subscription_list_subscription(const kinfolk_subscription_list *subscriptions, size_t index,
                                                      kinfolk_subscription **subscription);
void kinfolk_subscription_list_free(kinfolk_subscription_list *subscriptions);


/* ---- Notification ----------------------------------------------------------------------------------------------- */

/* See SUBSCRIPTIONS AND NOTIFICATIONS above. A notification never changes, and depends on no other handle. */

/* What a notification reports. The numbers of the first three are those of kinfolk_subject. */
typedef enum kinfolk_notice {
    KINFOLK_NOTIFICATION_QUERY = 1,    /* a record of a query subscription was created, changed or deleted */
    KINFOLK_NOTIFICATION_ZONE = 2,     /* records of a zone were changed, or the zone itself */
    KINFOLK_NOTIFICATION_DATABASE = 3, /* records of a private database were changed */
    KINFOLK_NOTIFICATION_DROPPED = 4   /* notifications were dropped before this device received them, because there
                                        * were too many newer ones, or because the device was forgotten */
} kinfolk_notice;

/* What happened to the record of a query subscription. The numbers are those of CloudKit. */
typedef enum kinfolk_reason {
    KINFOLK_REASON_RECORD_CREATED = 1,
    KINFOLK_REASON_RECORD_UPDATED = 2,
    KINFOLK_REASON_RECORD_DELETED = 3
} kinfolk_reason;

/* The notifications that the session's device has not acknowledged, the oldest first: at most `limit`, 1 to 400; 0 is
 * 100. There are fewer if the values of their fields have more than 2 MB (2,000,000 bytes). If there are none, the call
 * waits up to `seconds` for some, and then returns an empty list; 0 does not wait. The wait uses no processor.
 *
 *   KINFOLK_INVALID_ARGUMENT     the limit is more than 400
 *   KINFOLK_LIMIT_EXCEEDED       the user has 2,000 devices, and this session would be another one
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_notifications_fetch(const kinfolk_session *session, size_t limit, double seconds,
                                           kinfolk_notifications **notifications);
size_t kinfolk_notifications_count(const kinfolk_notifications *notifications);

/* The notification at an index, as a new handle.
 *
 *   KINFOLK_UNKNOWN_ITEM         the list has no such index */
kinfolk_status kinfolk_notifications_notification(const kinfolk_notifications *notifications, size_t index,
                                                  kinfolk_notification **notification);
void kinfolk_notifications_free(kinfolk_notifications *notifications);

/* The ID of a notification, by which it is acknowledged: at most 256 bytes, borrowed from the notification. It is
 * sealed, and valid for the user and the environment of a container. A program may store it, and acknowledge the
 * notification later or in another process. A notification that is delivered again has other bytes. */
kinfolk_status kinfolk_notification_id(const kinfolk_notification *notification, const uint8_t **id, size_t *length);

/* _kind is what the notification reports, 0 for NULL. _database is the database of the subscription, and
 * _subscription_id its ID: KINFOLK_DATABASE_NONE and NULL if notifications were dropped. _reason, _record_name and
 * _record_type are those of the record of a query subscription, and 0 or NULL otherwise. _zone is the zone of the
 * record, or that of a zone subscription, and NULL otherwise. Texts are borrowed. */
kinfolk_notice kinfolk_notification_kind(const kinfolk_notification *notification);
kinfolk_database_scope kinfolk_notification_database(const kinfolk_notification *notification);
const char *kinfolk_notification_subscription_id(const kinfolk_notification *notification);
kinfolk_reason kinfolk_notification_reason(const kinfolk_notification *notification);
const char *kinfolk_notification_record_name(const kinfolk_notification *notification);
const char *kinfolk_notification_record_type(const kinfolk_notification *notification);
const char *kinfolk_notification_zone(const kinfolk_notification *notification);

/* The desired fields that have a value, in the order of their names (by bytes), as they are when the notification is
 * delivered. A deleted record has none. _get_value gets a new handle; the content of an asset is read with
 * kinfolk_value_get_asset.
 *
 *   KINFOLK_UNKNOWN_ITEM         the notification has no such field */
size_t kinfolk_notification_field_count(const kinfolk_notification *notification);
const char *kinfolk_notification_field_name(const kinfolk_notification *notification, size_t index);
kinfolk_status kinfolk_notification_get_value(const kinfolk_notification *notification, const char *name,
                                              kinfolk_value **value);

/* What the subscription wanted the notification to tell, as in kinfolk_subscription_text and its neighbours. The lists
 * of arguments have the values of the fields as texts, one for each field, which is empty if the record has no value.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is no such list */
const char *kinfolk_notification_text(const kinfolk_notification *notification, kinfolk_info_text which);
kinfolk_status kinfolk_notification_get_list(const kinfolk_notification *notification, kinfolk_info_list which,
                                             kinfolk_value **texts);
bool kinfolk_notification_flag(const kinfolk_notification *notification, kinfolk_info_flag which);

void kinfolk_notification_free(kinfolk_notification *notification);

/* Says that the session's device has handled the notification with this ID and all before it, so that they are not
 * delivered to the device again. After a loss of power they may be.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is that of another user or container, or not an ID at all
 *   KINFOLK_CHANGE_TOKEN_EXPIRED the store was restored from a backup that is older than the notification
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_notifications_acknowledge(const kinfolk_session *session, const uint8_t *id, size_t length);

/* Receives a notification, which is valid until the function returns. Returns whether it was handled: true acknowledges
 * it and all before it. After false it is delivered again, after a second at the earliest, and before all later ones.
 * The function runs on a thread of the service, one call at a time. While it runs, other sessions of the process get no
 * notifications. It is not told when the account is suspended or erased: see kinfolk_session_account_status. */
typedef bool (*kinfolk_notification_fn)(const kinfolk_notification *notification, void *context);

/* Calls `receive` for each notification that waits, and then for those that come. It replaces the function that was
 * registered before; NULL only removes it. When this call, or kinfolk_session_free, has returned, the function that was
 * registered before is not running and will not run again, unless the call was made from inside that function.
 *
 *   KINFOLK_LIMIT_EXCEEDED       the user has 2,000 devices, and this session would be another one
 *   KINFOLK_PERMISSION_FAILURE   the service is open read-only
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_on_notification(kinfolk_session *session, kinfolk_notification_fn receive,
                                               void *context);

/* The devices of the session's user in this container: those with a name, in the order of their names (by bytes), and
 * then sessions without a name. _name is NULL for the latter. _is_current says whether it is the device of the session.
 * Texts are borrowed.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_devices(const kinfolk_session *session, kinfolk_devices **devices);
size_t kinfolk_devices_count(const kinfolk_devices *devices);
const char *kinfolk_devices_name(const kinfolk_devices *devices, size_t index);
bool kinfolk_devices_is_current(const kinfolk_devices *devices, size_t index);
void kinfolk_devices_free(kinfolk_devices *devices);

/* Forgets a device, and the notifications that wait for it. If a session of it is still in use, the device is made
 * again when the session next asks for notifications.
 *
 *   KINFOLK_INVALID_ARGUMENT     the name is empty or too long
 *   KINFOLK_UNKNOWN_ITEM         the user has no device with this name
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_session_remove_device(const kinfolk_session *session, const char *device);


/* ---- Key-value store -------------------------------------------------------------------------------------------- */

/* See KEY-VALUE STORE AND DOCUMENTS above. A key has 1 to 64 bytes of UTF-8, and is NUL-terminated. Keys are compared
 * by their bytes. There are at most 1,024 keys of a user in an environment of a container. */

/* The key-value store of the session's user. The handle keeps the session open. It remembers which changes it has
 * reported, and which of its own were refused, so a program keeps one handle. The call itself reads nothing. */
kinfolk_status kinfolk_session_keyvalue(const kinfolk_session *session, kinfolk_keyvalue **store);

/* The value of a key, as a new handle. A list that was set comes back as an array.
 *
 *   KINFOLK_INVALID_ARGUMENT     the key is malformed
 *   KINFOLK_UNKNOWN_ITEM         the key has no value
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_keyvalue_get(const kinfolk_keyvalue *store, const char *key, kinfolk_value **value);

/* Sets the value of a key. If there is no room, the key keeps its old value, and kinfolk_keyvalue_synchronize reports
 * that, too. All keys and values of the user may have 1,000,000 bytes together, and one value 999,900. A key counts its
 * bytes. A value counts its content (8 bytes for a number or a date, 1 for a boolean) and 1 byte for its type; texts,
 * bytes, arrays and dictionaries count 4 bytes more, and so does each text of a dictionary.
 *
 *   KINFOLK_INVALID_ARGUMENT     the key is malformed; or the value is a location, a reference, an asset or a list of
 *                                these
 *   KINFOLK_QUOTA_EXCEEDED       there would be more than 1,024 keys, or too many bytes: see also
 *                                KINFOLK_QUOTA_KEYVALUE and KINFOLK_QUOTA_USER
 *   KINFOLK_LIMIT_EXCEEDED       the value alone is too large
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_keyvalue_set(kinfolk_keyvalue *store, const char *key, const kinfolk_value *value);

/* Removes a key with its value. If there is none, the call changes nothing.
 *
 *   KINFOLK_INVALID_ARGUMENT     the key is malformed
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_keyvalue_remove(kinfolk_keyvalue *store, const char *key);

/* All keys with their values at one moment, in the order of the keys (by bytes). _key is borrowed. _value gets a new
 * handle.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_UNKNOWN_ITEM         _value: the list has no such index */
kinfolk_status kinfolk_keyvalue_all(const kinfolk_keyvalue *store, kinfolk_keyvalue_entries **entries);
size_t kinfolk_keyvalue_entries_count(const kinfolk_keyvalue_entries *entries);
const char *kinfolk_keyvalue_entries_key(const kinfolk_keyvalue_entries *entries, size_t index);
kinfolk_status kinfolk_keyvalue_entries_value(const kinfolk_keyvalue_entries *entries, size_t index,
                                              kinfolk_value **value);
void kinfolk_keyvalue_entries_free(kinfolk_keyvalue_entries *entries);

/* Why a key changed. The numbers are those of NSUbiquitousKeyValueStore, and never change. */
typedef enum kinfolk_keyvalue_reason {
    KINFOLK_KEYVALUE_SERVER_CHANGE = 0,          /* another device set or removed it */
    KINFOLK_KEYVALUE_INITIAL_SYNC_CHANGE = 1,    /* the device asks for the first time, was away for too long, or the
                                                  * store was restored: all keys are listed, the first time without
                                                  * those that the device has set. Forget what was read */
    KINFOLK_KEYVALUE_QUOTA_VIOLATION_CHANGE = 2, /* this handle tried to set it, and there was no room */
    KINFOLK_KEYVALUE_ACCOUNT_CHANGE = 3          /* only for kinfolk_keyvalue_on_change: the account was suspended or
                                                  * erased, with the key NULL; or it is in good standing again, with
                                                  * all keys */
} kinfolk_keyvalue_reason;

/* The keys that other devices have set or removed since the last call, and those that this handle could not set: each
 * once for each reason, in the order of the reasons and keys. Each change is reported once: a program that ends before
 * it has handled the changes does not get them again, and reads all keys when it starts. A device with a name
 * (kinfolk_session_open_on_device) continues where its last handle ended, also after a restart of the program. Its
 * first call reports KINFOLK_KEYVALUE_INITIAL_SYNC_CHANGE if other devices have set keys.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_keyvalue_synchronize(kinfolk_keyvalue *store, kinfolk_keyvalue_changes **changes);

/* The number of changes, which may be 0. _key is NULL if a reason is reported without a key. Texts are borrowed.
 * _reason is KINFOLK_KEYVALUE_SERVER_CHANGE for an index past the end. */
size_t kinfolk_keyvalue_changes_count(const kinfolk_keyvalue_changes *changes);
kinfolk_keyvalue_reason kinfolk_keyvalue_changes_reason(const kinfolk_keyvalue_changes *changes, size_t index);
const char *kinfolk_keyvalue_changes_key(const kinfolk_keyvalue_changes *changes, size_t index);
void kinfolk_keyvalue_changes_free(kinfolk_keyvalue_changes *changes);

/* Receives changes, all of one reason, which are valid until the function returns. The function runs on a thread of the
 * service, one call at a time. While it runs, other sessions of the process get no notifications and no changes. */
typedef void (*kinfolk_keyvalue_fn)(const kinfolk_keyvalue_changes *changes, void *context);

/* Calls `changed` for the changes since the last call of kinfolk_keyvalue_synchronize, and then for those that come. A
 * program that uses it does not call kinfolk_keyvalue_synchronize, which would take changes from it. It
 * replaces the function that was registered before; NULL only removes it. When this call, or kinfolk_keyvalue_free, has
 * returned, the function that was registered before is not running and will not run again, unless the call was made
 * from inside that function.
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_keyvalue_on_change(kinfolk_keyvalue *store, kinfolk_keyvalue_fn changed, void *context);

void kinfolk_keyvalue_free(kinfolk_keyvalue *store);


/* ---- Document --------------------------------------------------------------------------------------------------- */

/* See KEY-VALUE STORE AND DOCUMENTS above. A path has 1 to 32 names with "/" between them, and at most 1,024 bytes of
 * UTF-8. A name has 1 to 255 bytes, no control characters, and is not "." or "..". Names are compared by their bytes:
 * those that differ only in letter case or in their normalization form name different documents. A document and a
 * folder cannot have the same path.
 *
 * A handle is a copy of a document, and keeps the session open. Its versions have indexes: 0 is the current one, then
 * come the conflicts, the oldest first, and then the older versions, the newest first. A function that changes the
 * document brings the copy up to date. The handle also remembers on which version it is based: the one that was current
 * when it was opened, fetched, listed or resolved, or the one that it saved last. Moving or excluding a document does
 * not change that. So a save replaces no version that the holder of the handle has not seen.
 *
 * A failure with KINFOLK_SERVER_RECORD_CHANGED has no record here: fetch the document again. */

/* Begins to write the contents of a document a piece at a time: see kinfolk_asset_write and kinfolk_asset_add_file. The
 * upload is passed to _create_from, _save_from or _resolve_from, which end it, also if they fail; only if it was begun
 * with another session or for records, it goes on. kinfolk_asset_finish is not called for it. Nothing is stored before
 * the first pieces, and the call reads nothing. */
kinfolk_status kinfolk_document_upload(const kinfolk_session *session, kinfolk_asset **upload);

/* Create a document with these contents, or with those of an upload. `contents` may be NULL if `length` is 0. When the
 * call returns KINFOLK_OK, the document is on disk, complete.
 *
 *   KINFOLK_INVALID_ARGUMENT     the path is malformed; or the upload was begun for something else
 *   KINFOLK_CONFLICT             there is a document or a folder with this path, or one of its folders is a document
 *   KINFOLK_LIMIT_EXCEEDED       the contents are larger than an asset may be (KINFOLK_QUOTA_ASSET)
 *   KINFOLK_QUOTA_EXCEEDED       there is no room for them (KINFOLK_QUOTA_USER)
 *   KINFOLK_ASSET_NOT_AVAILABLE  _from: the upload has ended
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_create(const kinfolk_session *session, const char *path, const uint8_t *contents,
                                       size_t length, kinfolk_document **document);
kinfolk_status kinfolk_document_create_from(const kinfolk_session *session, const char *path, kinfolk_asset *upload,
                                            kinfolk_document **document);

/* Find a document by its path, or by its ID.
 *
 *   KINFOLK_INVALID_ARGUMENT     the path is malformed
 *   KINFOLK_UNKNOWN_ITEM         there is no such document
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_open(const kinfolk_session *session, const char *path, kinfolk_document **document);
kinfolk_status kinfolk_document_fetch(const kinfolk_session *session, const char *id, kinfolk_document **document);

/* Which documents kinfolk_document_search finds: a combination of these bits. */
#define KINFOLK_SEARCH_SHALLOW 1u   /* only those in the folder itself, or in no folder if it is NULL */
#define KINFOLK_SEARCH_CONFLICTS 2u /* only those with conflicts */

/* The documents that satisfy all conditions, in the order of their paths (by bytes). `folder` is the path of a folder
 * in which they are, at any depth. In `name`, "*" stands for any characters and "?" for one (a Unicode code point).
 * `prefix` is how the name begins. Letter case matters. Each of the three may be NULL. `modified_since` and
 * `modified_before` are microseconds since 1970-01-01 00:00 UTC: the document was last changed at or after the first
 * and before the second. INT64_MIN and INT64_MAX exclude none.
 *
 *   KINFOLK_INVALID_ARGUMENT     the folder is malformed; the name has more than 1,024 bytes; or a bit is unknown
 *   KINFOLK_UNKNOWN_ITEM         _document: the list has no such index
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_search(const kinfolk_session *session, const char *folder, const char *name,
                                       const char *prefix, uint32_t flags, int64_t modified_since,
                                       int64_t modified_before, kinfolk_document_list **documents);
size_t kinfolk_document_list_count(const kinfolk_document_list *documents);
kinfolk_status kinfolk_document_list_document(const kinfolk_document_list *documents, size_t index,
                                              kinfolk_document **document);
void kinfolk_document_list_free(kinfolk_document_list *documents);

/* What a handle knows of its document. The ID stays the same when the document is moved and saved. _modified_at is when
 * it was last saved, moved or changed in another way. Times are microseconds since 1970-01-01 00:00 UTC. _is_excluded
 * says whether it is left out of backups, and its contents of exports. Texts are borrowed. */
const char *kinfolk_document_id(const kinfolk_document *document);
const char *kinfolk_document_path(const kinfolk_document *document);
int64_t kinfolk_document_created_at(const kinfolk_document *document);
int64_t kinfolk_document_modified_at(const kinfolk_document *document);
bool kinfolk_document_is_excluded(const kinfolk_document *document);

/* The versions of a document. _version_count counts all of them, and _conflict_count the conflicts, which have the
 * indexes from 1 on. _version_id is the ID of a version: 32 lower-case hexadecimal digits. _version_device is the name
 * of the device that saved it, NULL for a session without a device's name. Texts are borrowed. */
size_t kinfolk_document_version_count(const kinfolk_document *document);
size_t kinfolk_document_conflict_count(const kinfolk_document *document);
const char *kinfolk_document_version_id(const kinfolk_document *document, size_t index);
const char *kinfolk_document_version_device(const kinfolk_document *document, size_t index);
int64_t kinfolk_document_version_saved_at(const kinfolk_document *document, size_t index);

/* The contents of a version, as a new handle: see kinfolk_asset_size, kinfolk_asset_sha256, kinfolk_asset_read and
 * kinfolk_asset_save_to_file. They can be read for as long as the version is kept. The call itself reads nothing.
 *
 *   KINFOLK_UNKNOWN_ITEM         the document has no such version */
kinfolk_status kinfolk_document_version_asset(const kinfolk_document *document, size_t index, kinfolk_asset **asset);

/* Save a new version. It takes the place of the one on which the handle is based, which becomes an older version. If
 * that one is no longer the current one or a conflict, the new version becomes a conflict, and nothing is overwritten:
 * compare kinfolk_document_conflict_count before and after. They fail as kinfolk_document_create does, except for
 * KINFOLK_CONFLICT, and also with:
 *
 *   KINFOLK_UNKNOWN_ITEM         the document was deleted
 *   KINFOLK_LIMIT_EXCEEDED       also: the document has 100 conflicts already */
kinfolk_status kinfolk_document_save(kinfolk_document *document, const uint8_t *contents, size_t length);
kinfolk_status kinfolk_document_save_from(kinfolk_document *document, kinfolk_asset *upload);

/* Resolve the conflicts that the handle shows: by one of its versions, by other contents, or by those of an upload. The
 * rest become older versions, all of which are kept until later saves replace the oldest. Conflicts that came in the
 * meantime stay. Without conflicts, the last two save a new version. They fail as kinfolk_document_save does, and also
 * with:
 *
 *   KINFOLK_UNKNOWN_ITEM         also: the document has no such version
 *   KINFOLK_SERVER_RECORD_CHANGED the current version is not that of the handle: fetch the document again */
kinfolk_status kinfolk_document_resolve(kinfolk_document *document, const char *version);
kinfolk_status kinfolk_document_resolve_with(kinfolk_document *document, const uint8_t *contents, size_t length);
kinfolk_status kinfolk_document_resolve_from(kinfolk_document *document, kinfolk_asset *upload);

/* Makes an older version the current one again. The current one becomes an older version.
 *
 *   KINFOLK_UNKNOWN_ITEM         the document was deleted, or has no such version
 *   KINFOLK_SERVER_RECORD_CHANGED the current version is not that of the handle: fetch the document again
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_restore(kinfolk_document *document, const char *version);

/* Gives a document another path.
 *
 *   KINFOLK_INVALID_ARGUMENT     the path is malformed
 *   KINFOLK_CONFLICT             there is a document or a folder with this path, or one of its folders is a document
 *   KINFOLK_UNKNOWN_ITEM         the document was deleted
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_move(kinfolk_document *document, const char *path);

/* Leaves a document out of backups, and its contents out of exports; or includes them again. An export still has the
 * path of the document, its dates, and the devices, sizes and SHA-256 of its versions. kinfolk_service_copy, which
 * moves a store, copies all documents, and so do the backups of a server.
 *
 *   KINFOLK_UNKNOWN_ITEM         the document was deleted
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_set_excluded(kinfolk_document *document, bool excluded);

/* Deletes a document with all its versions.
 *
 *   KINFOLK_UNKNOWN_ITEM         the document was deleted already
 *   KINFOLK_SERVER_RECORD_CHANGED the current version is not that of the handle, or the document has conflicts that the
 *                                handle does not show: fetch it again
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_delete(const kinfolk_document *document);

void kinfolk_document_free(kinfolk_document *document);

/* Writes all documents as files below a folder of the disk, which is made if it is missing: the current version of
 * each, and each conflict as a further file with a name like "list (conflict 1 of tablet).txt". Each file appears when
 * it is complete. A regular file with its name is replaced; links are not followed below the folder, and other files
 * are left as they are. Documents that are excluded from backups are left out, unless `includes_excluded` is true. A
 * document that cannot be written is reported, and the others are still written. `progress` gets bytes; it and
 * `report` may be NULL. If it ends the call, the files that are complete stay. Users choose the names of documents:
 * write to a folder in which nothing else is, and not to that of the store.
 *
 *   KINFOLK_INVALID_ARGUMENT     the path leads to something else than a folder, or the file system cannot have it
 *   KINFOLK_UNKNOWN_ITEM         the folder in which to make it is missing
 *   KINFOLK_PERMISSION_FAILURE   the file system refuses
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_export(const kinfolk_session *session, const char *path, bool includes_excluded,
                                       kinfolk_progress_fn progress, void *context, kinfolk_document_files **report);

/* Makes documents of the regular files in a folder of the disk and in the folders below it. `folder` is the path of the
 * folder of the documents; NULL is none. A document that exists gets a new version, unless its current version has the
 * same bytes, so an import that was interrupted can be repeated. Links, devices, and files whose names cannot be those
 * of documents are reported, and the others are still imported. `progress` gets files, without a total; it and `report`
 * may be NULL. If it ends the call, the documents that are complete stay.
 *
 *   KINFOLK_INVALID_ARGUMENT     the path leads to something else than a folder; or that of the documents is malformed
 *   KINFOLK_UNKNOWN_ITEM         there is no such folder on the disk
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process list the folder
 *   KINFOLK_QUOTA_EXCEEDED       there is no room for a file
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */
kinfolk_status kinfolk_document_import(const kinfolk_session *session, const char *path, const char *folder,
                                       kinfolk_progress_fn progress, void *context, kinfolk_document_files **report);

/* What was done. _documents is how many documents were written, or created by an import. _saved is how many got a new
 * version by an import, and _unchanged how many had the same bytes already. _conflicts is how many conflicts were
 * written, or how many new versions became conflicts. _excluded is how many documents were left out because they are
 * excluded from backups, and _bytes how many bytes were written or saved. */
size_t kinfolk_document_files_documents(const kinfolk_document_files *report);
size_t kinfolk_document_files_saved(const kinfolk_document_files *report);
size_t kinfolk_document_files_unchanged(const kinfolk_document_files *report);
size_t kinfolk_document_files_conflicts(const kinfolk_document_files *report);
size_t kinfolk_document_files_excluded(const kinfolk_document_files *report);
uint64_t kinfolk_document_files_bytes(const kinfolk_document_files *report);

/* The files that were left out: _skipped is how many, _skip_count how many of them are listed, at most 1,000. A path is
 * that below the folder, and a reason is one of "link", "specialFile", "malformedName", "malformedPath", "notReadable",
 * "changed", "tooLarge", "nameTaken", "tooManyConflicts" and "inUse". Texts are borrowed. */
size_t kinfolk_document_files_skipped(const kinfolk_document_files *report);
size_t kinfolk_document_files_skip_count(const kinfolk_document_files *report);
const char *kinfolk_document_files_skip_path(const kinfolk_document_files *report, size_t index);
const char *kinfolk_document_files_skip_reason(const kinfolk_document_files *report, size_t index);
void kinfolk_document_files_free(kinfolk_document_files *report);

/* What happened to a document. The numbers never change. */
typedef enum kinfolk_document_change {
    KINFOLK_DOCUMENT_CHANGED = 1, /* it was created, saved, moved or changed in another way */
    KINFOLK_DOCUMENT_DELETED = 2, /* it was deleted */
    KINFOLK_DOCUMENT_MISSED = 3   /* only for kinfolk_session_on_document_change: the store was restored, or there were
                                   * too many changes. List the documents again */
} kinfolk_document_change;

/* A page of the changes of the user's documents since a token, also of those that this device made: documents that were
 * changed, in the order of their last changes, and then those that were deleted. A page has about 400 changes. `token`
 * has the bytes of _token, at most 256; if `token_length` is 0, the changes begin with all documents.
 *
 *   KINFOLK_CHANGE_TOKEN_EXPIRED the token is too old, or was made for something else: begin without a token
 *   KINFOLK_INVALID_ARGUMENT     the token has more than 256 bytes
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE   the service is read-only, and the user never had documents */
kinfolk_status kinfolk_document_changes_fetch(const kinfolk_session *session, const uint8_t *token,
                                              size_t token_length, kinfolk_document_changes **changes);

/* The changes of a page. _id is the ID of the document; it is an empty text if changes were missed. _document gets a
 * new handle, NULL for a deleted document. _token is the token for the next call; in a kinfolk_document_change_fn there
 * is none, and its length is 0. _more_coming says whether there may be more changes now. Texts are borrowed.
 *
 *   KINFOLK_UNKNOWN_ITEM         _document: the page has no such index */
size_t kinfolk_document_changes_count(const kinfolk_document_changes *changes);
kinfolk_document_change kinfolk_document_changes_kind(const kinfolk_document_changes *changes, size_t index);
const char *kinfolk_document_changes_id(const kinfolk_document_changes *changes, size_t index);
kinfolk_status kinfolk_document_changes_document(const kinfolk_document_changes *changes, size_t index,
                                                 kinfolk_document **document);
kinfolk_status kinfolk_document_changes_token(const kinfolk_document_changes *changes, const uint8_t **token,
                                              size_t *length);
bool kinfolk_document_changes_more_coming(const kinfolk_document_changes *changes);
void kinfolk_document_changes_free(kinfolk_document_changes *changes);

/* Receives a change by another device, which is valid until the function returns. The function runs on a thread of the
 * service, one call at a time. While it runs, other sessions of the process get no notifications and no changes. It is
 * not told when the account is suspended or erased: see kinfolk_session_account_status. */
typedef void (*kinfolk_document_change_fn)(const kinfolk_document_changes *changes, void *context);

/* Calls `changed` for each change of a document by another device since a token, or from now on if `token_length` is 0.
 * It replaces the function that was registered before; NULL only removes it. When this call, or kinfolk_session_free,
 * has returned, the function that was registered before is not running and will not run again, unless the call was made
 * from inside that function.
 *
 *   KINFOLK_CHANGE_TOKEN_EXPIRED the token is too old, or was made for something else
 *   KINFOLK_INVALID_ARGUMENT     the token has more than 256 bytes
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE   the service is read-only, and the user never had documents */
kinfolk_status kinfolk_session_on_document_change(kinfolk_session *session, const uint8_t *token, size_t token_length,
                                                  kinfolk_document_change_fn changed, void *context);


/* ---- Schema (for the operator) ---------------------------------------------------------------------------------- */

/* The schema of a container belongs to the environment that the handle was opened for. It has record types, their
 * fields with types and indexes, and grants. It is read and written in Apple's schema language, so a schema that was
 * exported from CloudKit's console applies here:
 *
 *     DEFINE SCHEMA
 *     RECORD TYPE Note (
 *         title    STRING QUERYABLE,
 *         tags     LIST<STRING>,
 *         due      TIMESTAMP
 *     );
 *
 * CloudKit has no booleans: they are written as INT64, followed by the words "kinfolk: boolean" in a comment as in C,
 * which CloudKit ignores.
 *
 * A program adds types and fields by saving records for development. The operator then deploys the schema: from then on
 * saves in production cannot change it. */

/* The schema as a text, with its types and fields in the order of their names. Free `text` with kinfolk_free. */
kinfolk_status kinfolk_schema_export(const kinfolk_container *container, char **text);

/* Changes the schema to what `text` says, in one transaction. A new index of existing records is built afterwards, in
 * the background: see kinfolk_schema_build_indexes. What the text does not name stays as it is; with `removes_missing`
 * it is removed: record types with their records, and fields with their values, but never the type "Users". `changes`,
 * which may be NULL, gets what was changed.
 *
 * kinfolk_schema_difference changes nothing, and returns what _apply would change.
 *
 *   KINFOLK_INVALID_ARGUMENT     the text is not a schema: the message says in which line and column; or a field would
 *                                get another type
 *   KINFOLK_LIMIT_EXCEEDED       the text is larger than 8 MB; or the schema would have more than 1,000 record types,
 *                                1,000 fields in one type, 10,000 fields in all, 100 roles or 10,000 grants */
kinfolk_status kinfolk_schema_difference(const kinfolk_container *container, const char *text, bool removes_missing,
                                         kinfolk_schema_changes **changes);
kinfolk_status kinfolk_schema_apply(const kinfolk_container *container, const char *text, bool removes_missing,
                                    kinfolk_schema_changes **changes);

/* Adds the schema of the development environment to that of production. From then on saves add nothing to the schema of
 * production: a save with an unknown type or field fails with KINFOLK_INVALID_ARGUMENT. A deployment removes nothing.
 * The handle may be that of either environment. `changes`, which may be NULL, gets what was changed.
 *
 * kinfolk_schema_deployment_difference changes nothing, and returns what _deploy would change.
 *
 *   KINFOLK_INVALID_ARGUMENT     a field has another type in production
 *   KINFOLK_UNKNOWN_ITEM         the development environment was never opened
 *   KINFOLK_LIMIT_EXCEEDED       as above */
kinfolk_status kinfolk_schema_deployment_difference(const kinfolk_container *container,
                                                    kinfolk_schema_changes **changes);
kinfolk_status kinfolk_schema_deploy(const kinfolk_container *container, kinfolk_schema_changes **changes);

/* What a change of a schema does. The numbers never change. */
typedef enum kinfolk_schema_change {
    KINFOLK_SCHEMA_ADD_ROLE = 1,
    KINFOLK_SCHEMA_REMOVE_ROLE = 2,
    KINFOLK_SCHEMA_ADD_RECORD_TYPE = 3,
    KINFOLK_SCHEMA_REMOVE_RECORD_TYPE = 4, /* with all its records */
    KINFOLK_SCHEMA_ADD_FIELD = 5,
    KINFOLK_SCHEMA_REMOVE_FIELD = 6, /* with its values */
    KINFOLK_SCHEMA_ADD_INDEX = 7,    /* also for existing records */
    KINFOLK_SCHEMA_REMOVE_INDEX = 8,
    KINFOLK_SCHEMA_ADD_GRANT = 9,
    KINFOLK_SCHEMA_REMOVE_GRANT = 10
} kinfolk_schema_change;

/* The changes, in the order in which they are made. _record_type is NULL for a role. _name is that of the field or of
 * the role, and NULL for a record type. _detail is the type and the indexes of a new field, the indexes, or the
 * permissions, in the schema language; NULL for other changes. _sentence describes the change for people: "Add the
 * field title to Note: STRING QUERYABLE". Texts are borrowed. */
size_t kinfolk_schema_changes_count(const kinfolk_schema_changes *changes);
kinfolk_schema_change kinfolk_schema_changes_kind(const kinfolk_schema_changes *changes,
                                                  size_t index); /* 0 past the end */
const char *kinfolk_schema_changes_record_type(const kinfolk_schema_changes *changes, size_t index);
const char *kinfolk_schema_changes_name(const kinfolk_schema_changes *changes, size_t index);
const char *kinfolk_schema_changes_detail(const kinfolk_schema_changes *changes, size_t index);
const char *kinfolk_schema_changes_sentence(const kinfolk_schema_changes *changes, size_t index);
void kinfolk_schema_changes_free(kinfolk_schema_changes *changes);

/* The indexes of a field: flags, combined by OR. A stolen store shows which records have the same value in a QUERYABLE
 * field, and the order of the values of a SORTABLE field. */
#define KINFOLK_INDEX_QUERYABLE 1u  /* records can be found by a value */
#define KINFOLK_INDEX_SORTABLE 2u   /* records can be put in the order of the values, and found by a range of them */
#define KINFOLK_INDEX_SEARCHABLE 4u /* records can be found by a word of a text */
#define KINFOLK_INDEX_STANDARD 256u /* alone: the indexes of a field that a save adds. QUERYABLE, but none for a
                                     * boolean, a location, an asset, a list, or a field of user records */

/* Adds a field to a record type, and the type if it does not exist. _remove_field removes a field, and its values from
 * every record; its name may then be used with another type.
 *
 *   KINFOLK_INVALID_ARGUMENT     a name is malformed; the type is unknown; or a field of this type cannot have one of
 *                                the indexes
 *   KINFOLK_CONFLICT             the record type has a field with this name already
 *   KINFOLK_UNKNOWN_ITEM         _remove_field: the record type has no such field
 *   KINFOLK_LIMIT_EXCEEDED       the record type has 1,000 fields already, or the container 10,000 */
kinfolk_status kinfolk_schema_add_field(const kinfolk_container *container, const char *record_type,
                                        const char *field, kinfolk_field_type type, uint32_t indexes);
kinfolk_status kinfolk_schema_remove_field(const kinfolk_container *container, const char *record_type,
                                           const char *field);

/* The same for the fields of user records, the type "Users", which have no indexes unless they are added otherwise. If
 * the operator does not add a field, the first user who saves it in the public database adds it: see
 * kinfolk_container_set_field_limit. */
kinfolk_status kinfolk_container_add_field(const kinfolk_container *container, const char *field,
                                           kinfolk_field_type type);
kinfolk_status kinfolk_container_remove_field(const kinfolk_container *container, const char *field);

/* Indexes of existing records. An index that is added to a field is built after the schema has changed, 200 records at
 * a time, while other work continues. The entries of a removed index are deleted in the same way. Each open service
 * does it in the background, and continues what an earlier one left. Queries use an index once it is complete.
 *
 * _build_indexes does the work on the calling thread, until all indexes of the environment are complete. A program that
 * ends soon after a change of the schema should call it. `progress` gets records of one record type after the other; it
 * may be NULL. If it ends the call, the work continues later, in the background.
 *
 * _index_builds returns the record types whose indexes are not complete, in the order of their names: none if all are.
 * _done is the number of records of the type that were indexed, and _total the number that it had at the beginning.
 * Texts are borrowed. */
kinfolk_status kinfolk_schema_build_indexes(const kinfolk_container *container, kinfolk_progress_fn progress,
                                            void *context);
kinfolk_status kinfolk_schema_index_builds(const kinfolk_container *container, kinfolk_index_builds **builds);
size_t kinfolk_index_builds_count(const kinfolk_index_builds *builds);
const char *kinfolk_index_builds_record_type(const kinfolk_index_builds *builds, size_t index);
uint64_t kinfolk_index_builds_done(const kinfolk_index_builds *builds, size_t index);
uint64_t kinfolk_index_builds_total(const kinfolk_index_builds *builds, size_t index);
void kinfolk_index_builds_free(kinfolk_index_builds *builds);


/* ---- Grants and roles (for the operator) ------------------------------------------------------------------------ */

/* The grants of a record type say who may read, create and write its records in the public database:
 *
 *     CREATE ROLE Moderator;
 *     RECORD TYPE Note (
 *         title STRING,
 *         GRANT READ, WRITE TO "_creator",
 *         GRANT CREATE      TO "_icloud",
 *         GRANT READ, WRITE TO Moderator
 *     );
 *
 * "_world" is everybody. "_icloud" is each account that is signed in and not suspended, "_creator" the one that created
 * the record, and the others are roles that the operator gives to accounts. An account has the permissions of all its
 * roles together. A type without grants has READ to "_world", CREATE to "_icloud" and WRITE to "_creator".
 *
 *   - READ is to fetch a record. WRITE is to change and to delete it, and does not include READ.
 *   - CREATE given to "_creator" means nothing: a record that does not exist has no creator.
 *   - Anonymous sessions and suspended accounts may at most read what "_world" may read.
 *   - A caller who may neither read nor write a record gets the answers of a record that does not exist. Only that its
 *     name is taken cannot be hidden from a caller who may create records: creating it fails with
 *     KINFOLK_PERMISSION_FAILURE.
 *   - A caller who may write a record but not read it gets back only the fields that were sent, and
 *     KINFOLK_PERMISSION_FAILURE instead of KINFOLK_SERVER_RECORD_CHANGED.
 *
 * Private databases have no grants. */

/* Gives a role of the schema to an account, or takes it away, in the environment that the container was opened for. It
 * takes effect with the next call of each session of the account, in all processes. An account that never used the
 * container gets its user record ID. To give a role again changes nothing. A role is also taken away when it is removed
 * from the schema.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a role's name (1 to 255 ASCII letters, digits and _, a letter first); or
 *                                the account belongs to another service
 *   KINFOLK_UNKNOWN_ITEM         _grant: the schema has no such role. _revoke: the account does not have it. Both: the
 *                                account was erased
 *   KINFOLK_NOT_AUTHENTICATED    _grant: the account is suspended, and never used the container */
kinfolk_status kinfolk_role_grant(const kinfolk_container *container, const char *role,
                                  const kinfolk_account *account);
kinfolk_status kinfolk_role_revoke(const kinfolk_container *container, const char *role,
                                   const kinfolk_account *account);

/* The roles of an account in this environment of the container, sorted. Texts are borrowed.
 *
 *   KINFOLK_UNKNOWN_ITEM         the account was erased */
kinfolk_status kinfolk_container_roles(const kinfolk_container *container, const kinfolk_account *account,
                                       kinfolk_roles **roles);
size_t kinfolk_roles_count(const kinfolk_roles *roles);
const char *kinfolk_roles_name(const kinfolk_roles *roles, size_t index);
void kinfolk_roles_free(kinfolk_roles *roles);


/* ---- Network access --------------------------------------------------------------------------------------------- */

/* How the callers of a network service prove who they are: applications by API tokens, servers by keys, people by web
 * sessions. These functions are for the operator. A service that answers requests, such as kinfolkd, does the rest. */

/* Creates a token by which an application calls the network service. It is valid for the environment that the container
 * was opened for. `token` gets 64 hexadecimal digits, which nothing shows again; free it with kinfolk_free.
 *
 * `name` is for the operator: 1 to 255 bytes, and no other token of the container has it. `origins` are the origins of
 * the pages that may use the token in a browser, one a line, exactly as browsers send them: "https://app.example.com"
 * or "http://localhost:8000". `return_urls` are the URLs to which a sign-in may return, compared exactly, one a line, each
 * of at most 2,048 bytes. Both may be NULL. `allows_discovery` says whether its users may look for other users.
 *
 *   KINFOLK_INVALID_ARGUMENT     a name, an origin or a URL is malformed
 *   KINFOLK_CONFLICT             the container has a token with this name
 *   KINFOLK_LIMIT_EXCEEDED       more than 20 origins or URLs, or the container has 100 tokens */
kinfolk_status kinfolk_api_token_create(const kinfolk_container *container, const char *name,
                                        const char *origins, const char *return_urls, bool allows_discovery,
                                        char **token);

/* Deletes an API token, and ends all web sessions that were begun with it.
 *
 *   KINFOLK_UNKNOWN_ITEM         the container has no token with this name */
kinfolk_status kinfolk_api_token_delete(const kinfolk_container *container, const char *name);

/* The API tokens of a container, in the order of their names, without their secret texts. Texts are borrowed. _origins
 * and _return_urls are one a line, and empty if there are none. */
kinfolk_status kinfolk_container_api_tokens(const kinfolk_container *container, kinfolk_api_tokens **tokens);
size_t kinfolk_api_tokens_count(const kinfolk_api_tokens *tokens);
const char *kinfolk_api_tokens_name(const kinfolk_api_tokens *tokens, size_t index);
const char *kinfolk_api_tokens_origins(const kinfolk_api_tokens *tokens, size_t index);
const char *kinfolk_api_tokens_return_urls(const kinfolk_api_tokens *tokens, size_t index);
bool kinfolk_api_tokens_allows_discovery(const kinfolk_api_tokens *tokens, size_t index);
int64_t kinfolk_api_tokens_created_at(const kinfolk_api_tokens *tokens, size_t index);
void kinfolk_api_tokens_free(kinfolk_api_tokens *tokens);

/* Adds the public key of a server, which signs its requests (ECDSA with P-256). It makes an account for the key, with a
 * user record ID in this container. `key` is PEM text ("BEGIN PUBLIC KEY"), or an uncompressed point of
 * KINFOLK_SERVER_KEY_LENGTH bytes. `name` is for the operator: 1 to 255 bytes, and no other key of the container has
 * it. `id`, which may be NULL, gets the SHA-256 of the point in 64 hexadecimal digits; free it with kinfolk_free.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a public key for P-256, or the name is malformed
 *   KINFOLK_CONFLICT             the container has this key, or a key with this name
 *   KINFOLK_LIMIT_EXCEEDED       the container has 100 keys */
kinfolk_status kinfolk_server_key_add(const kinfolk_container *container, const char *name, const uint8_t *key,
                                      size_t key_length, char **id);

/* Removes the key of a server, which can then make no more requests. Its account remains, with the records that it
 * created.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is not 64 lower-case hexadecimal digits
 *   KINFOLK_UNKNOWN_ITEM         the container has no such key */
kinfolk_status kinfolk_server_key_remove(const kinfolk_container *container, const char *id);

/* The keys of servers, in the order of their names. Texts are borrowed, and so is _public_key, which has
 * KINFOLK_SERVER_KEY_LENGTH bytes. */
kinfolk_status kinfolk_container_server_keys(const kinfolk_container *container, kinfolk_server_keys **keys);
size_t kinfolk_server_keys_count(const kinfolk_server_keys *keys);
const char *kinfolk_server_keys_id(const kinfolk_server_keys *keys, size_t index);
const char *kinfolk_server_keys_name(const kinfolk_server_keys *keys, size_t index);
const uint8_t *kinfolk_server_keys_public_key(const kinfolk_server_keys *keys, size_t index);
const char *kinfolk_server_keys_account_id(const kinfolk_server_keys *keys, size_t index);
int64_t kinfolk_server_keys_created_at(const kinfolk_server_keys *keys, size_t index);
void kinfolk_server_keys_free(kinfolk_server_keys *keys);

/* The browsers and other clients in which the account is signed in, in all containers, the oldest first. Texts are
 * borrowed. _id is 32 hexadecimal digits; it is no secret. _signed_in_at is when the person last proved who they are.
 * _expires_at is when the session ends unless it is used before. A lasting session ends after two weeks without use,
 * another one after half an hour.
 *
 *   KINFOLK_UNKNOWN_ITEM         the account was erased */
kinfolk_status kinfolk_account_web_sessions(const kinfolk_account *account, kinfolk_web_sessions **sessions);
size_t kinfolk_web_sessions_count(const kinfolk_web_sessions *sessions);
const char *kinfolk_web_sessions_id(const kinfolk_web_sessions *sessions, size_t index);
const char *kinfolk_web_sessions_container(const kinfolk_web_sessions *sessions, size_t index);
kinfolk_environment kinfolk_web_sessions_environment(const kinfolk_web_sessions *sessions, size_t index);
const char *kinfolk_web_sessions_api_token_name(const kinfolk_web_sessions *sessions, size_t index);
int64_t kinfolk_web_sessions_created_at(const kinfolk_web_sessions *sessions, size_t index);
int64_t kinfolk_web_sessions_signed_in_at(const kinfolk_web_sessions *sessions, size_t index);
int64_t kinfolk_web_sessions_expires_at(const kinfolk_web_sessions *sessions, size_t index);
bool kinfolk_web_sessions_is_lasting(const kinfolk_web_sessions *sessions, size_t index);
void kinfolk_web_sessions_free(kinfolk_web_sessions *sessions);

/* Signs the person out: in one browser, or everywhere, in all containers. It takes effect at once, in all processes.
 * It works even if rows of the account were changed without the key. A web session that has ended stays ended.
 *
 *   KINFOLK_INVALID_ARGUMENT     the ID is not 32 lower-case hexadecimal digits
 *   KINFOLK_UNKNOWN_ITEM         the account was erased */
kinfolk_status kinfolk_account_end_web_session(const kinfolk_account *account, const char *id);
kinfolk_status kinfolk_account_end_web_sessions(const kinfolk_account *account);

/* Lets the person sign in by an identity at an OpenID Connect provider, or by one that a trusted proxy vouches for.
 * `issuer` is the provider's issuer identifier, 1 to 2,048 bytes, or a name for the proxy. `subject` is the provider's
 * identifier of the person, 1 to 255 bytes. Both are compared byte by byte. To add an identity again changes nothing.
 * Before the program adds an identity to an account that exists, the person should prove both: that they may use the
 * account, and that the identity is theirs.
 *
 *   KINFOLK_INVALID_ARGUMENT     a text is empty or too long
 *   KINFOLK_CONFLICT             _add: another account has this identity
 *   KINFOLK_LIMIT_EXCEEDED       _add: the account has 20 identities
 *   KINFOLK_UNKNOWN_ITEM         the account was erased; _remove: it does not have this identity */
kinfolk_status kinfolk_account_add_identity(const kinfolk_account *account, const char *issuer, const char *subject);
kinfolk_status kinfolk_account_remove_identity(const kinfolk_account *account, const char *issuer,
                                               const char *subject);

/* The account with this identity.
 *
 *   KINFOLK_INVALID_ARGUMENT     a text is empty or too long
 *   KINFOLK_UNKNOWN_ITEM         no account has it */
kinfolk_status kinfolk_account_find_by_identity(const kinfolk_service *service, const char *issuer, const char *subject,
                                                kinfolk_account **account);

/* The identities of an account, in the order in which they were added. Texts are borrowed.
 *
 *   KINFOLK_UNKNOWN_ITEM         the account was erased */
kinfolk_status kinfolk_account_linked_identities(const kinfolk_account *account,
                                                 kinfolk_linked_identities **identities);
size_t kinfolk_linked_identities_count(const kinfolk_linked_identities *identities);
const char *kinfolk_linked_identities_issuer(const kinfolk_linked_identities *identities, size_t index);
const char *kinfolk_linked_identities_subject(const kinfolk_linked_identities *identities, size_t index);
int64_t kinfolk_linked_identities_added_at(const kinfolk_linked_identities *identities, size_t index);
void kinfolk_linked_identities_free(kinfolk_linked_identities *identities);


/* ---- Contacts --------------------------------------------------------------------------------------------------- */

/* Makes an empty contact book. It holds hashes and labels, never an address, and at most 1,000,000 contacts. A contact
 * is one address: a card with three addresses makes three contacts. An address inside a label is removed, so
 * "Ada <ada@example.com>" becomes "Ada". A contact book needs no service. */
kinfolk_status kinfolk_contacts_new(kinfolk_contacts **contacts);

/* Adds one address. `label` is a text that discovery returns with the contact, for example a name; at most 1,024 bytes.
 * It may be NULL. The store never gets it.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_LIMIT_EXCEEDED       the label is longer than that; or the book would have more than 1,000,000 contacts
 *                                (the same holds for all functions that add contacts; then none is added) */
kinfolk_status kinfolk_contacts_add_email(kinfolk_contacts *contacts, const char *email, const char *label);

/* Adds a contact hash: 32 bytes, or 64 hexadecimal digits. `label` is as above.
 *
 *   KINFOLK_INVALID_ARGUMENT     it is neither
 *   KINFOLK_LIMIT_EXCEEDED       as above */
kinfolk_status kinfolk_contacts_add_hash(kinfolk_contacts *contacts, const uint8_t *hash, size_t length,
                                         const char *label);

/* Add many contacts at once. `report`, which may be NULL, tells what was added and what was skipped. Entries that
 * cannot be used are skipped and counted; the rest is added. The text is UTF-8, or UTF-16 with a byte-order mark; a
 * value that is neither is read as Windows-1252.
 *
 *   _text   addresses, or contact hashes in hexadecimal, one on each line, or separated by commas or semicolons;
 *           "Name <address>" gives a label
 *   _vcard  vCard 2.1, 3.0 and 4.0 (RFC 6350), as phones and mail programs export it; labels from FN or N
 *   _csv    a table, as Google Contacts, Outlook and Thunderbird export it in any language: every cell that is an
 *           address counts
 *   _ldif   LDIF (RFC 2849), as Thunderbird and directory servers export it: addresses from mail, mozillaSecondEmail
 *           and similar attributes; labels from cn, displayName, or givenName and sn
 *   _jcard  jCard (RFC 7095), vCards as JSON: one, an array of them, or JSON that contains them
 *   _file   a file of any of these kinds. Its content decides the kind, and it is read in pieces. It is a list (_text)
 *           if nearly all of its lines are addresses or hashes
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not of that kind at all; the path leads to a folder. For files that people
 *                                often try but that cannot be read, a calendar or a spreadsheet for example, the
 *                                message says what the file is and what to export instead
 *   KINFOLK_UNKNOWN_ITEM         the file does not exist
 *   KINFOLK_PERMISSION_FAILURE   the file system does not let this process read the file */
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

/* The result of an import: contacts added; entries read (cards, entries of LDIF, rows, lines); entries without an
 * e-mail address, which are not a fault; entries or addresses skipped. The first 1,000 skipped ones are listed: the
 * line where each begins, from 1, and the reason, in one sentence that never holds content of the file. */
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

/* Discovery finds people who granted discoverability in the session's container. It returns no identity, after the same
 * work, for a person who:
 *   - is unknown,
 *   - did not opt in,
 *   - is suspended,
 *   - never used this container, or
 *   - is hidden by a block.
 * (The time of a search with a book of 100 contacts or more reveals a little about blocks: see kinfolk_service_open.)
 * Each of these functions may return
 *
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing */

/* Finds a person by user record ID: one identity, or none. It costs no permit.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a user record ID */
kinfolk_status kinfolk_discover_record_id(const kinfolk_session *session, const char *id,
                                          kinfolk_identities **identities);

/* Finds a person by a verified e-mail address: one identity, or none. Each call costs one permit.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not an e-mail address
 *   KINFOLK_REQUEST_RATE_LIMITED no permit is left: kinfolk_error_retry_after() says when there will be one
 *   KINFOLK_PERMISSION_FAILURE   the container keeps no directory of contact hashes */
kinfolk_status kinfolk_discover_email(const kinfolk_session *session, const char *email,
                                      kinfolk_identities **identities);

/* Finds the people in a contact book: each once, in the order of the book, with all contacts that led to them. The
 * session's own person is left out. Each contact that was not asked about before costs a permit.
 *
 * `sync_state` tells the call which contacts were asked about before. It is the sync state that an earlier call
 * returned for the same account in this container, or NULL and 0. It may also be several sync states, for example from
 * two devices of one person: one after the other in the same memory. A sync state that is forged, damaged or from
 * elsewhere is ignored.
 *
 *   KINFOLK_LIMIT_EXCEEDED       more new contacts than the person can ever hold permits: send the book in parts
 *   KINFOLK_REQUEST_RATE_LIMITED more new contacts than permits are left: see kinfolk_error_retry_after
 *   KINFOLK_PERMISSION_FAILURE   the container keeps no directory of contact hashes
 * A call that fails in one of these ways spends no permit. */
kinfolk_status kinfolk_discover_contacts(const kinfolk_session *session, const kinfolk_contacts *contacts,
                                         const uint8_t *sync_state, size_t sync_state_length,
                                         kinfolk_identities **identities);

/* The sync state to pass to the next kinfolk_discover_contacts of this account in this container. It is sealed, so the
 * program that stores it cannot read it. The bytes are borrowed from `identities`. NULL and 0 after a discovery of
 * another kind. */
kinfolk_status kinfolk_identities_sync_state(const kinfolk_identities *identities, const uint8_t **sync_state,
                                             size_t *length);

/* The people who were found. Names are as they were at the moment of the discovery, and may be empty. */
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

/* Discovery that never shows a contact to the server. It uses an oblivious pseudorandom function (RFC 9497,
 * ristretto255-SHA512) and buckets of a directory. A client makes requests and takes answers, a session answers them;
 * the program transports the messages. docs/private-discovery.md describes them byte by byte, and what each side
 * learns.
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

/* How people can be found in a container: flags, combined by OR. A new container has KINFOLK_DIRECTORY_HASHED. */
#define KINFOLK_DIRECTORY_HASHED 1u  /* by contact hashes, which the server sees: kinfolk_discover_contacts, _email */
#define KINFOLK_DIRECTORY_PRIVATE 2u /* by private discovery */

/* _set_directory_modes builds the new directories, while the container is in use, in batches and on all cores. Then it
 * empties the directories that `modes` does not name. Call it again with the same modes to resume an interrupted
 * change. `progress` gets people; it may be NULL. _directory_modes does not return a mode while its directory is still
 * being built.
 *
 *   KINFOLK_INVALID_ARGUMENT     modes is 0, or has unknown flags
 *   KINFOLK_CONFLICT             another call ended a directory that this call was building; then this call ends no
 *                                directory */
kinfolk_status kinfolk_container_directory_modes(const kinfolk_container *container, uint32_t *modes);
kinfolk_status kinfolk_container_set_directory_modes(const kinfolk_container *container, uint32_t modes,
                                                     kinfolk_progress_fn progress, void *context);

/* Makes the next key of the private directory and publishes its public key before anything is indexed under it, so that
 * clients that accept only published keys can have the key first. The next _renew_private_key, or the next rotation of
 * the service key, uses the key. `epoch` gets the number of its epoch; until the key is used, further calls return the
 * same number. A thief who has the service key and a copy of the store has this key too, so a rotation because of a
 * leak discards it.
 *
 *   KINFOLK_UNKNOWN_ITEM         the container has no private directory */
kinfolk_status kinfolk_container_announce_next_private_key(const kinfolk_container *container, uint32_t *epoch);

/* Starts a new key (epoch) of the private directory and indexes all people under it, while the old epoch still answers.
 * Each client moves to the new epoch at its next discovery. Contacts that a client has paid for stay free under the new
 * key; all others cost permits. `epoch` gets the number of the new epoch. `progress` gets people; it may be NULL. Call
 * it again to resume an interrupted renewal.
 *
 *   KINFOLK_UNKNOWN_ITEM         the container has no private directory
 *   KINFOLK_LIMIT_EXCEEDED       the private directory has 100 epochs */
kinfolk_status kinfolk_container_renew_private_key(const kinfolk_container *container, kinfolk_progress_fn progress,
                                                   void *context, uint32_t *epoch);

/* Ends the epochs before this one: they no longer answer. Their keys are kept only to prove which contacts were
 * paid for in them, until the service key is rotated because of a leak.
 *
 *   KINFOLK_UNKNOWN_ITEM         the private directory has no complete epoch with this number */
kinfolk_status kinfolk_container_end_private_epochs(const kinfolk_container *container, uint32_t before);

/* Sets how many bits of each contact's bucket position a client sends: 0 to 32, or -1 to choose by the number of rows.
 * -1 means 0 bits (a client gets the whole directory) while the directory fits in 1 MiB, and above that as many bits as
 * give buckets of 16 to 32 rows. With fewer bits the server learns less, and sends more.
 *
 *   KINFOLK_INVALID_ARGUMENT     bits is below -1 or above 32 */
kinfolk_status kinfolk_container_set_prefix_bits(const kinfolk_container *container, int32_t bits);

/* The epochs of the private directory, newest first. _public_key has KINFOLK_PUBLIC_KEY_LENGTH bytes and is borrowed;
 * the program may distribute it to its clients by its own means. _is_complete tells whether all people are indexed in
 * the epoch: before that it answers nobody. _is_announced tells whether the epoch has only an announced key so far.
 * _row_count is the number of rows: one for each address by which a person can be found. _prefix_bits is how many bits
 * of a contact's bucket position a client sends. */
kinfolk_status kinfolk_container_private_epochs(const kinfolk_container *container, kinfolk_private_epochs **epochs);
size_t kinfolk_private_epochs_count(const kinfolk_private_epochs *epochs);
uint32_t kinfolk_private_epochs_number(const kinfolk_private_epochs *epochs, size_t index);
const uint8_t *kinfolk_private_epochs_public_key(const kinfolk_private_epochs *epochs, size_t index);
bool kinfolk_private_epochs_is_complete(const kinfolk_private_epochs *epochs, size_t index);
bool kinfolk_private_epochs_is_announced(const kinfolk_private_epochs *epochs, size_t index);
uint64_t kinfolk_private_epochs_row_count(const kinfolk_private_epochs *epochs, size_t index);
uint32_t kinfolk_private_epochs_prefix_bits(const kinfolk_private_epochs *epochs, size_t index);
void kinfolk_private_epochs_free(kinfolk_private_epochs *epochs);

/* The bucket key of all private directories of a store, KINFOLK_PUBLIC_KEY_LENGTH bytes. It puts a contact in the same
 * bucket in all containers and epochs. It never changes. The program may distribute it to its clients by its own means.
 *
 *   KINFOLK_UNKNOWN_ITEM         the store has never had a private directory */
kinfolk_status kinfolk_service_bucket_public_key(const kinfolk_service *service, uint8_t *key);

/* Answers one request of a client, for the session's person. Each point of a batch costs a permit; points of padding
 * cost one too, because the server cannot tell them from contacts. A repeated request is charged again. Contacts that
 * were paid for in one epoch are renewed in another for free: the client proves that it paid. Buckets cost no permits.
 * The work of a request is limited, too: see kinfolk_container_set_private_work. `threads` is the number of threads
 * that compute; 0 for one for each core. Free the answer with kinfolk_free.
 *
 *   KINFOLK_INVALID_ARGUMENT     the message is malformed, or not a request
 *   KINFOLK_UNKNOWN_ITEM         the container has no private directory, or not the epoch that the request names
 *   KINFOLK_CONFLICT             the prefixes have more bits than the directory has now: the client must begin again
 *   KINFOLK_LIMIT_EXCEEDED       the request needs more permits or work than the person can ever have; or the answer
 *                                would be larger than 64 MiB
 *   KINFOLK_REQUEST_RATE_LIMITED the person has too few permits, or too little work, left now: see
 *                                kinfolk_error_retry_after
 *   KINFOLK_NOT_AUTHENTICATED    the session has no account in good standing
 *   KINFOLK_PERMISSION_FAILURE   a renewal names contacts that were not paid for
 *   KINFOLK_STORE_CORRUPT        a row of the directory was changed without the key
 * A call that fails in one of these ways spends no permit; its work may stay charged. */
kinfolk_status kinfolk_session_answer(const kinfolk_session *session, const uint8_t *request, size_t request_length,
                                      uint32_t threads, uint8_t **answer, size_t *answer_length);

/* Makes the client's half. It needs no service and no store. `container` is the container's name.
 *
 * `public_keys` are `key_count` keys one after the other, of KINFOLK_PUBLIC_KEY_LENGTH bytes each, if the program got
 * them from another source than this server. Then the server must prove that it used one of them; the newest epoch
 * whose key is among them answers. Without keys, the client trusts the server to use the same key for everybody.
 *
 * `bucket_key` is the key of kinfolk_service_bucket_public_key, if the program got it from another source; or NULL.
 * With NULL the client keeps the first bucket key that the server names in its state, and refuses any other from then
 * on.
 *
 * `filler_secret` is KINFOLK_FILLER_SECRET_LENGTH random bytes that a person's applications share, if they can; or
 * NULL. With the same secret all of them fill up requests with the same hashes, and ask for the same buckets.
 *
 * `state` is what kinfolk_private_client_state returned after an earlier discovery of the same person in the same
 * container; or NULL and 0. Without it the client asks the server about all contacts again. By comparing both
 * discoveries the server could then find out how many contacts there are, unless the filler secret is the same.
 *
 * `threads` is the number of threads that compute; 0 for one for each core.
 *
 *   KINFOLK_INVALID_ARGUMENT     this is not a container's name, or not a public key; the state is damaged, of an older
 *                                version, of another container or of another filler secret
 *   KINFOLK_KEY_MISMATCH         the state is of another bucket key
 *   KINFOLK_LIMIT_EXCEEDED       more than 1,000 keys */
kinfolk_status kinfolk_private_client_new(const char *container, const uint8_t *public_keys, size_t key_count,
                                          const uint8_t *bucket_key, const uint8_t *filler_secret,
                                          const uint8_t *state, size_t state_length, uint32_t threads,
                                          kinfolk_private_client **client);

/* Sets the contacts (copied) for this and later discoveries, and begins a discovery. _begin begins another discovery
 * with the same contacts: after a request that failed, or to see what has changed. */
kinfolk_status kinfolk_private_client_set_contacts(kinfolk_private_client *client, const kinfolk_contacts *contacts);
kinfolk_status kinfolk_private_client_begin(kinfolk_private_client *client);

/* Sets the most bits of a contact's bucket position that the client sends: 0 to 32, and 20 unless changed. If the
 * server's directory has more, the client asks for larger buckets. So a server cannot demand so many bits that they
 * distinguish one contact from all others. 15 suits a directory of a million people. The setting takes effect with the
 * next discovery.
 *
 *   KINFOLK_INVALID_ARGUMENT     bits is above 32 */
kinfolk_status kinfolk_private_client_set_maximum_prefix_bits(kinfolk_private_client *client, uint32_t bits);

/* The next request to send; the same one again until the client has received its answer. NULL and 0 when the discovery
 * is complete. Free it with kinfolk_free. */
kinfolk_status kinfolk_private_client_next_request(kinfolk_private_client *client, uint8_t **request, size_t *length);

/* Takes the answer to the request. If the client refuses the answer, the request stays pending.
 *
 *   KINFOLK_INVALID_ARGUMENT     the answer is malformed, or no request is pending
 *   KINFOLK_CONFLICT             it is the answer to another request; or the bucket key, or the key of an epoch,
 *                                differs from what it was before
 *   KINFOLK_KEY_MISMATCH         the server's key is not among the published ones, or the server did not use it */
kinfolk_status kinfolk_private_client_receive(kinfolk_private_client *client, const uint8_t *answer, size_t length);

/* The people in the contacts, as far as the client has received answers: each once, in the order of the book, with all
 * contacts that led to them. Their names are empty. kinfolk_discover_record_id gets a name, but it tells the server who
 * the person is; the program may do that later or not at all. */
kinfolk_status kinfolk_private_client_identities(const kinfolk_private_client *client, kinfolk_identities **identities);

/* The state to keep for the next discovery: with it the client asks nothing about known contacts, and the server sends
 * only changes. It holds contact hashes in clear: protect it like the address book. Free it with kinfolk_free. */
kinfolk_status kinfolk_private_client_state(const kinfolk_private_client *client, uint8_t **state, size_t *length);

/* The secret from which the client derives the hashes that fill up requests: `secret` gets KINFOLK_FILLER_SECRET_LENGTH
 * bytes. Give it to the person's other applications, and to a client that begins without a state. Protect it like the
 * address book. */
kinfolk_status kinfolk_private_client_filler_secret(const kinfolk_private_client *client, uint8_t *secret);

void kinfolk_private_client_free(kinfolk_private_client *client);

/* Runs both halves in this process and also gets the names: for tests, and for programs that the person trusts with the
 * contacts. `state` is the sync state of an earlier call; for this function it is a client's state: protect it like the
 * address book. The call fails as kinfolk_session_answer and kinfolk_private_client_new do. */
kinfolk_status kinfolk_discover_contacts_privately(const kinfolk_session *session, const kinfolk_contacts *contacts,
                                                   const uint8_t *state, size_t state_length, uint32_t threads,
                                                   kinfolk_identities **identities);

#ifdef __cplusplus
}
#endif

#endif
