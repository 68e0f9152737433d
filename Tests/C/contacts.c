/* Contact books: contacts, files of each kind, and the reports. The suites of contacts have the rules. */

#include "harness.h"
#include "people.h"

static kinfolk_contacts *new_book(void) {
    kinfolk_contacts *contacts = NULL;
    OK(kinfolk_contacts_new(&contacts));
    EQUAL(kinfolk_contacts_count(contacts), 0);
    return contacts;
}

/* The contact at an index must be this address, with this label. */
static void check_contact(const kinfolk_contacts *contacts, size_t index, const char *email, const char *label) {
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH], wanted[KINFOLK_CONTACT_HASH_LENGTH];
    OK(kinfolk_contacts_get_hash(contacts, index, hash));
    OK(kinfolk_email_hash(email, wanted));
    if (memcmp(hash, wanted, sizeof hash) != 0) harness_fault(__FILE__, __LINE__, email, "is not the contact there");
    SAME(kinfolk_contacts_label(contacts, index), label);
}

typedef kinfolk_status (*add_fn)(kinfolk_contacts *, const char *, size_t, kinfolk_import **);

static kinfolk_import *add(add_fn function, kinfolk_contacts *contacts, const char *text) {
    kinfolk_import *report = NULL;
    OK(function(contacts, text, strlen(text), &report));
    REQUIRE(report != NULL);
    return report;
}

static void check_report(kinfolk_import *report, size_t added, size_t entries, size_t without, size_t skipped) {
    size_t i;
    EQUAL(kinfolk_import_added(report), added);
    EQUAL(kinfolk_import_entries(report), entries);
    EQUAL(kinfolk_import_without_email(report), without);
    EQUAL(kinfolk_import_skipped(report), skipped);
    EQUAL(kinfolk_import_skip_count(report), skipped);
    for (i = 0; i < kinfolk_import_skip_count(report); i++) {
        REQUIRE(kinfolk_import_skip_reason(report, i) != NULL);
        CHECK(kinfolk_import_skip_reason(report, i)[0] != '\0');
        CHECK(strstr(kinfolk_import_skip_reason(report, i), "example") == NULL);
    }
    CHECK(kinfolk_import_skip_reason(report, kinfolk_import_skip_count(report)) == NULL);
    EQUAL(kinfolk_import_skip_line(report, kinfolk_import_skip_count(report)), 0);
}

/* ---- One by one */

static void a_book_keeps_its_contacts_in_order_with_their_labels(void) {
    kinfolk_contacts *contacts = new_book();
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH] = { 7 };
    OK(kinfolk_contacts_add_email(contacts, " Ada@Example.com", "Ada L."));
    OK(kinfolk_contacts_add_email(contacts, "grace@example.com", NULL));
    OK(kinfolk_contacts_add_email(contacts, "ada@example.com", ""));
    EQUAL(kinfolk_contacts_count(contacts), 3);
    check_contact(contacts, 0, "ada@example.com", "Ada L.");
    check_contact(contacts, 1, "grace@example.com", "");
    check_contact(contacts, 2, "ada@example.com", "");
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_contacts_get_hash(contacts, 3, hash));
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_contacts_get_hash(contacts, SIZE_MAX, hash));
    EQUAL(hash[0], 7);
    CHECK(kinfolk_contacts_label(contacts, 3) == NULL && kinfolk_contacts_label(contacts, SIZE_MAX) == NULL);
    kinfolk_contacts_free(contacts);
}

static void a_hash_is_32_bytes_or_64_digits(void) {
    kinfolk_contacts *contacts = new_book();
    static const char lower[] = "b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72";
    static const char upper[] = "B5FC85E55755F9E0D030A10AB4429B6B2944855F9A0D60077FE832BECBC41D72";
    static const char bad[] = "b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d7g";
    static const size_t lengths[] = { 0, 1, 31, 33, 63, 65, (size_t)1 << 31, SIZE_MAX };
    uint8_t hash[KINFOLK_CONTACT_HASH_LENGTH];
    size_t i;
    OK(kinfolk_email_hash("ada@example.com", hash));
    OK(kinfolk_contacts_add_hash(contacts, hash, sizeof hash, "bytes"));
    OK(kinfolk_contacts_add_hash(contacts, (const uint8_t *)lower, 64, NULL));
    OK(kinfolk_contacts_add_hash(contacts, (const uint8_t *)upper, 64, "upper"));
    check_contact(contacts, 0, "ada@example.com", "bytes");
    check_contact(contacts, 1, "ada@example.com", "");
    check_contact(contacts, 2, "ada@example.com", "upper");
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_hash(contacts, (const uint8_t *)bad, 64, NULL));
    for (i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_hash(contacts, (const uint8_t *)lower, lengths[i], NULL));
    EQUAL(kinfolk_contacts_count(contacts), 3);
    kinfolk_contacts_free(contacts);
}

static void invalid_contacts_are_refused(void) {
    kinfolk_contacts *contacts = new_book();
    char label[1026];
    memset(label, 'l', sizeof label);
    label[1025] = '\0';
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_email(contacts, "", NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_email(contacts, "ada", NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_email(contacts, "ada\xff@example.com", NULL));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_email(contacts, "ada@example.com", "\xff"));
    FAILS_EITHER(KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED,
                 kinfolk_contacts_add_email(contacts, "ada@example.com", label));
    EQUAL(kinfolk_contacts_count(contacts), 0);
    label[1024] = '\0';
    OK(kinfolk_contacts_add_email(contacts, "ada@example.com", label));
    SAME(kinfolk_contacts_label(contacts, 0), label);
    kinfolk_contacts_free(contacts);
}

/* ---- Lines of text */

static void addresses_and_hashes_come_one_a_line(void) {
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = add(kinfolk_contacts_add_text, contacts,
                                 "ada@example.com\r\n"
                                 "\n"
                                 "Grace Hopper <grace@example.com>\n"
                                 "\"Turing, Alan\" <alan@example.com>\n"
                                 "not an address\n"
                                 "b5fc85e55755f9e0d030a10ab4429b6b2944855f9a0d60077fe832becbc41d72\n"
                                 "  last@example.com");
    check_report(report, 5, 6, 0, 1);
    EQUAL(kinfolk_import_skip_line(report, 0), 5);
    check_contact(contacts, 0, "ada@example.com", "");
    check_contact(contacts, 1, "grace@example.com", "Grace Hopper");
    check_contact(contacts, 2, "alan@example.com", "Turing, Alan");
    check_contact(contacts, 3, "ada@example.com", "");
    check_contact(contacts, 4, "last@example.com", "");
    kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
}

static void a_nul_in_the_text_is_like_any_other_fault(void) {
    static const char text[] = "ada@example.com\nal\0an@example.com\ngrace@example.com\n";
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = NULL;
    OK(kinfolk_contacts_add_text(contacts, text, sizeof text - 1, &report));
    check_report(report, 2, 3, 0, 1);
    kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
}

/* ---- vCard */

static const char cards[] =
    "BEGIN:VCARD\r\n"
    "VERSION:3.0\r\n"
    "FN:Ada Love\r\n"
    " lace\r\n"
    "EMAIL;TYPE=INTERNET,HOME:ada@exam\r\n"
    " ple.com\r\n"
    "item1.EMAIL;type=pref:countess@example.com\r\n"
    "END:VCARD\r\n"
    "BEGIN:VCARD\r\n"
    "VERSION:4.0\r\n"
    "N:Hopper;Grace;;;\r\n"
    "EMAIL:mailto:grace@example.com\r\n"
    "END:VCARD\r\n"
    "BEGIN:VCARD\r\n"
    "VERSION:2.1\r\n"
    "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:B=C3=B6ll;=\r\n"
    "J=C3=B6rg\r\n"
    "EMAIL;INTERNET;QUOTED-PRINTABLE:joerg=40example.com\r\n"
    "END:VCARD\r\n"
    "BEGIN:VCARD\r\n"
    "VERSION:3.0\r\n"
    "FN:Nobody\r\n"
    "TEL:+441234567\r\n"
    "END:VCARD\r\n"
    "BEGIN:VCARD\r\n"
    "VERSION:3.0\r\n"
    "FN:Half\r\n"
    "EMAIL:not an address\r\n"
    "EMAIL:half@example.com\r\n"
    "END:VCARD\r\n";

static void check_cards(const kinfolk_contacts *contacts, kinfolk_import *report) {
    check_report(report, 5, 5, 1, 1);
    check_contact(contacts, 0, "ada@example.com", "Ada Lovelace");
    check_contact(contacts, 1, "countess@example.com", "Ada Lovelace");
    check_contact(contacts, 2, "grace@example.com", "Grace Hopper");
    check_contact(contacts, 3, "joerg@example.com", "J\xc3\xb6rg B\xc3\xb6ll");
    check_contact(contacts, 4, "half@example.com", "Half");
    EQUAL(kinfolk_import_skip_line(report, 0), 28);
}

static void cards_of_all_three_versions_are_read(void) {
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = add(kinfolk_contacts_add_vcard, contacts, cards);
    check_cards(contacts, report);
    kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
}

/* ---- CSV */

static void columns_of_a_table_are_read(void) {
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = add(kinfolk_contacts_add_csv, contacts,
                                 "First Name,Middle Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value\r\n"
                                 "Ada,,Lovelace,Home,ada@example.com ::: countess@example.com,a@example.com\r\n"
                                 "\"Grace\r\nBrewster\",,Hopper,Work,grace@example.com,\r\n"
                                 "Nobody,,,,,\r\n"
                                 "Wrong,,,,not an address,\r\n");
    check_report(report, 4, 4, 1, 1);
    EQUAL(kinfolk_import_skip_line(report, 0), 6);
    check_contact(contacts, 0, "ada@example.com", "Ada Lovelace");
    check_contact(contacts, 1, "countess@example.com", "Ada Lovelace");
    check_contact(contacts, 2, "a@example.com", "Ada Lovelace");
    kinfolk_contacts_free(contacts);
    check_report(report, 4, 4, 1, 1); /* a report needs no book */
    kinfolk_import_free(report);
}

/* ---- LDIF and jCard */

static const char entries[] =
    "version: 1\n\n"
    "dn: cn=Ada Lovelace,mail=ada@example.com\n"
    "objectclass: inetOrgPerson\n"
    "cn:: QWRhIExvdmVsYWNl\n"
    "mail: ada@exam\n"
    " ple.com\n"
    "mozillaSecondEmail: countess@example.com\n\n"
    "dn: cn=Nobody\n"
    "cn: Nobody\n\n"
    "dn: cn=Grace\n"
    "sn: Hopper\n"
    "givenName: Grace\n"
    "mail: grace@example.com\n"
    "mail: not an address\n";

static const char json[] =
    "[[\"vcard\", [[\"version\", {}, \"text\", \"4.0\"], [\"fn\", {}, \"text\", \"J\\u00f6rg B\\u00f6ll\"],\n"
    "             [\"email\", {\"type\": \"home\"}, \"text\", \"joerg@example.com\"]]],\n"
    " [\"vcard\", [[\"fn\", {}, \"text\", \"Nobody\"]]],\n"
    " [\"vcard\", [[\"n\", {}, \"text\", [\"Turing\", \"Alan\", \"\", \"\", \"\"]], [\"email\", {}, \"text\", \"alan@example.com\"],\n"
    "             [\"email\", {}, \"text\", \"not an address\"]]]]\n";

static void check_entries(const kinfolk_contacts *contacts, kinfolk_import *report) {
    check_report(report, 3, 3, 1, 1);
    EQUAL(kinfolk_import_skip_line(report, 0), 17);
    check_contact(contacts, 0, "ada@example.com", "Ada Lovelace");
    check_contact(contacts, 1, "countess@example.com", "Ada Lovelace");
    check_contact(contacts, 2, "grace@example.com", "Grace Hopper");
}

static void check_json(const kinfolk_contacts *contacts, kinfolk_import *report) {
    check_report(report, 2, 3, 1, 1);
    EQUAL(kinfolk_import_skip_line(report, 0), 5);
    check_contact(contacts, 0, "joerg@example.com", "J\xc3\xb6rg B\xc3\xb6ll");
    check_contact(contacts, 1, "alan@example.com", "Alan Turing");
}

static void entries_of_ldif_are_read(void) {
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = add(kinfolk_contacts_add_ldif, contacts, entries);
    check_entries(contacts, report);
    kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
}

static void cards_in_json_are_read(void) {
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = add(kinfolk_contacts_add_jcard, contacts, json);
    check_json(contacts, report);
    kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
}

static void a_text_of_another_format_is_an_error(void) {
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = NULL;
    static const char prose[] = "It was the best of times, it was the worst of times.\n";
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_vcard(contacts, prose, sizeof prose - 1, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_csv(contacts, prose, sizeof prose - 1, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_csv(contacts, cards, sizeof cards - 1, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_ldif(contacts, prose, sizeof prose - 1, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_jcard(contacts, prose, sizeof prose - 1, &report));
    EQUAL(kinfolk_contacts_count(contacts), 0);
    CHECK(report == NULL);
    kinfolk_contacts_free(contacts);
}

/* ---- Files */

static void the_format_of_a_file_is_detected_from_its_content(void) {
    static const char calendar[] = "BEGIN:VCALENDAR\r\nATTENDEE:mailto:ada@example.com\r\nEND:VCALENDAR\r\n";
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = NULL;
    write_file(file_path("contacts"), cards, sizeof cards - 1);
    OK(kinfolk_contacts_add_file(contacts, file_path("contacts"), &report));
    check_cards(contacts, report);
    kinfolk_import_free(report);
    report = NULL;
    write_file(file_path("contacts"), entries, sizeof entries - 1);
    OK(kinfolk_contacts_add_file(contacts, file_path("contacts"), NULL));
    EQUAL(kinfolk_contacts_count(contacts), 8);
    write_file(file_path("contacts"), calendar, sizeof calendar - 1);
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_file(contacts, file_path("contacts"), &report));
    CHECK(strstr(kinfolk_error_message(), "calendar") != NULL);
    FAILS(KINFOLK_UNKNOWN_ITEM, kinfolk_contacts_add_file(contacts, file_path("missing"), &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_file(contacts, harness.folder, &report));
    FAILS(KINFOLK_INVALID_ARGUMENT, kinfolk_contacts_add_file(contacts, "", &report));
    EQUAL(kinfolk_contacts_count(contacts), 8);
    CHECK(report == NULL);
    kinfolk_contacts_free(contacts);
}

/* ---- Sizes */

static void an_impossible_length_is_refused_before_the_text_is_read(void) {
    static const size_t lengths[] = { (size_t)1 << 31, (size_t)1 << 62, SIZE_MAX / 2 + 1, SIZE_MAX };
    static const add_fn functions[] = { kinfolk_contacts_add_text, kinfolk_contacts_add_vcard, kinfolk_contacts_add_csv,
                                        kinfolk_contacts_add_ldif, kinfolk_contacts_add_jcard };
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = NULL;
    size_t i, j;
    for (i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        for (j = 0; j < sizeof lengths / sizeof lengths[0]; j++) {
            FAILS_EITHER(KINFOLK_INVALID_ARGUMENT, KINFOLK_LIMIT_EXCEEDED,
                         functions[i](contacts, "ada@example.com\n", lengths[j], &report));
            CHECK(report == NULL);
        }
        if (functions[i](contacts, "", 0, &report) == KINFOLK_OK) { /* nothing at all may be an empty book or an error */
            check_report(report, 0, 0, 0, 0);
            kinfolk_import_free(report);
            report = NULL;
        }
    }
    EQUAL(kinfolk_contacts_count(contacts), 0);
    kinfolk_contacts_free(contacts);
}

static void a_thousand_skipped_lines_are_listed_and_all_are_counted(void) {
    char *text = malloc(20 * 1502), *at = text;
    kinfolk_contacts *contacts = new_book();
    kinfolk_import *report = NULL;
    int i;
    REQUIRE(text != NULL);
    at += sprintf(at, "ada@example.com\n");
    for (i = 0; i < 1500; i++) at += sprintf(at, "no address %d\n", i);
    OK(kinfolk_contacts_add_text(contacts, text, (size_t)(at - text), &report));
    EQUAL(kinfolk_import_skipped(report), 1500);
    EQUAL(kinfolk_import_skip_count(report), 1000);
    EQUAL(kinfolk_import_skip_line(report, 999), 1001);
    EQUAL(kinfolk_import_added(report), 1);
    kinfolk_import_free(report);
    kinfolk_contacts_free(contacts);
    free(text);
}

BEGIN
    RUN(a_book_keeps_its_contacts_in_order_with_their_labels);
    RUN(a_hash_is_32_bytes_or_64_digits);
    RUN(invalid_contacts_are_refused);
    RUN(addresses_and_hashes_come_one_a_line);
    RUN(a_nul_in_the_text_is_like_any_other_fault);
    RUN(cards_of_all_three_versions_are_read);
    RUN(columns_of_a_table_are_read);
    RUN(entries_of_ldif_are_read);
    RUN(cards_in_json_are_read);
    RUN(a_text_of_another_format_is_an_error);
    RUN(the_format_of_a_file_is_detected_from_its_content);
    RUN(an_impossible_length_is_refused_before_the_text_is_read);
    RUN(a_thousand_skipped_lines_are_listed_and_all_are_counted);
END
