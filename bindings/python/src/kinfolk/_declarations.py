"""The C functions of Include/kinfolk.h, one a line: name, result, arguments. A test compares them with the header."""

from __future__ import annotations

from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_double,
    c_int,
    c_int32,
    c_int64,
    c_size_t,
    c_uint32,
    c_uint64,
    c_void_p,
)

VERSION_NUMBER = 1000


class OpenOptions(Structure):
    """kinfolk_open_options."""

    _fields_ = (
        ("version", c_uint32),
        ("existing_only", c_bool),
        ("key_file", c_char_p),
        ("key", c_char_p),
        ("key_length", c_size_t),
        ("wait", c_double),
        ("passphrase", c_char_p),
        ("page_cache", c_int64),
        ("directory_filters", c_int64),
        ("require_locked_memory", c_bool),
    )


def _opaque(name):
    return POINTER(type(name, (Structure,), {}))


Service = _opaque("kinfolk_service")
Account = _opaque("kinfolk_account")
Audit = _opaque("kinfolk_audit")
Emails = _opaque("kinfolk_emails")
Claims = _opaque("kinfolk_claims")
Erasure = _opaque("kinfolk_erasure")
Container = _opaque("kinfolk_container")
Session = _opaque("kinfolk_session")
Blocked = _opaque("kinfolk_blocked")
Record = _opaque("kinfolk_record")
Contacts = _opaque("kinfolk_contacts")
Import = _opaque("kinfolk_import")
Identities = _opaque("kinfolk_identities")
PrivateEpochs = _opaque("kinfolk_private_epochs")
PrivateClient = _opaque("kinfolk_private_client")

Progress = CFUNCTYPE(c_bool, c_uint64, c_uint64, c_void_p)
Prompt = CFUNCTYPE(c_int, c_char_p, c_void_p)
AccountChanged = CFUNCTYPE(None, c_void_p)

Status = "status"  # a c_int that is checked: see check_error
Enum = c_int
Text = c_char_p
Bytes = c_char_p
Memory = c_void_p
Size = c_size_t
Out = POINTER
Array = POINTER

FUNCTIONS = {
    # Library
    "kinfolk_version": (Text,),
    "kinfolk_version_number": (c_uint32,),
    "kinfolk_status_name": (Text, Enum),
    "kinfolk_error_message": (Text,),
    "kinfolk_error_retry_after": (c_double,),
    "kinfolk_error_in_doubt": (c_bool,),
    "kinfolk_error_take_server_record": (Record,),
    "kinfolk_free": (None, Memory),
    # Service
    "kinfolk_service_open": (Status, Text, POINTER(OpenOptions), Out(Service)),
    "kinfolk_service_is_key_memory_locked": (c_bool, Service),
    "kinfolk_store_accept_older": (Status, Text, POINTER(OpenOptions), Out(c_bool)),
    "kinfolk_service_rotate_keys": (
        Status,
        Service,
        POINTER(OpenOptions),
        c_bool,
        Progress,
        Memory,
        Out(Memory),
        Out(c_uint32),
    ),
    "kinfolk_service_back_up": (Status, Service, Text, Progress, Memory),
    "kinfolk_service_copy": (Status, Service, Text, Progress, Memory),
    "kinfolk_service_audit_log": (Status, Service, c_int64, Size, Out(Audit)),
    "kinfolk_audit_count": (Size, Audit),
    "kinfolk_audit_number": (c_int64, Audit, Size),
    "kinfolk_audit_noted_at": (c_int64, Audit, Size),
    "kinfolk_audit_container": (Text, Audit, Size),
    "kinfolk_audit_record_id": (Text, Audit, Size),
    "kinfolk_audit_reason": (Text, Audit, Size),
    "kinfolk_audit_free": (None, Audit),
    "kinfolk_service_free": (None, Service),
    # E-mail addresses
    "kinfolk_email_canonicalize": (Status, Text, Out(Memory)),
    "kinfolk_email_hash": (Status, Text, Bytes),
    # Account
    "kinfolk_account_create": (Status, Service, Text, Text, Out(Account)),
    "kinfolk_account_open": (Status, Service, Text, Out(Account)),
    "kinfolk_account_find_by_email": (Status, Service, Text, Out(Account)),
    "kinfolk_account_id": (Text, Account),
    "kinfolk_account_get_name": (Status, Account, Out(Memory), Out(Memory)),
    "kinfolk_account_set_name": (Status, Account, Text, Text),
    "kinfolk_account_add_email": (Status, Account, Text, c_bool, Out(Claims)),
    "kinfolk_account_request_verification": (Status, Account, Text, Enum, Text, Out(Memory), Out(Memory)),
    "kinfolk_account_verify_email": (Status, Account, Text, Text, Out(Claims)),
    "kinfolk_account_confirm_sign_in": (Status, Account, Text, Text),
    "kinfolk_account_refuse_claims": (Status, Account, Text, Text, Out(Claims)),
    "kinfolk_account_claims": (Status, Account, Out(Claims)),
    "kinfolk_service_claims": (Status, Service, Text, Size, Out(Claims)),
    "kinfolk_claims_count": (Size, Claims),
    "kinfolk_claims_id": (Text, Claims, Size),
    "kinfolk_claims_address": (Text, Claims, Size),
    "kinfolk_claims_owner_id": (Text, Claims, Size),
    "kinfolk_claims_claimant_id": (Text, Claims, Size),
    "kinfolk_claims_state": (Enum, Claims, Size),
    "kinfolk_claims_opened_at": (c_int64, Claims, Size),
    "kinfolk_claims_noticed_at": (c_int64, Claims, Size),
    "kinfolk_claims_completable_at": (c_int64, Claims, Size),
    "kinfolk_claims_notice_count": (Size, Claims, Size),
    "kinfolk_claims_notice": (Text, Claims, Size, Size),
    "kinfolk_claims_free": (None, Claims),
    "kinfolk_service_acknowledge_notice": (Status, Service, Text),
    "kinfolk_service_dismiss_claim": (Status, Service, Text),
    "kinfolk_service_transfer_email": (Status, Service, Text, Account),
    "kinfolk_service_claim_wait": (Status, Service, Out(c_double)),
    "kinfolk_service_set_claim_wait": (Status, Service, c_double),
    "kinfolk_account_set_email_discoverable": (Status, Account, Text, c_bool),
    "kinfolk_account_remove_email": (Status, Account, Text),
    "kinfolk_account_emails": (Status, Account, Out(Emails)),
    "kinfolk_emails_count": (Size, Emails),
    "kinfolk_emails_address": (Text, Emails, Size),
    "kinfolk_emails_is_verified": (c_bool, Emails, Size),
    "kinfolk_emails_is_discoverable": (c_bool, Emails, Size),
    "kinfolk_emails_free": (None, Emails),
    "kinfolk_account_suspend": (Status, Account),
    "kinfolk_account_resume": (Status, Account),
    "kinfolk_account_is_suspended": (Status, Account, Out(c_bool)),
    "kinfolk_account_export": (Status, Account, Out(Memory)),
    "kinfolk_account_erase": (Status, Account, Out(Erasure)),
    "kinfolk_erasure_email_count": (Size, Erasure),
    "kinfolk_erasure_container_count": (Size, Erasure),
    "kinfolk_erasure_record_count": (Size, Erasure),
    "kinfolk_erasure_remembered_email_count": (Size, Erasure),
    "kinfolk_erasure_remembered_until": (c_int64, Erasure),
    "kinfolk_erasure_mails_count_until": (c_int64, Erasure),
    "kinfolk_erasure_is_pending": (c_bool, Erasure),
    "kinfolk_erasure_free": (None, Erasure),
    "kinfolk_account_free": (None, Account),
    # Container
    "kinfolk_container_create": (Status, Service, Text, Out(Container)),
    "kinfolk_container_open": (Status, Service, Text, Out(Container)),
    "kinfolk_container_name": (Text, Container),
    "kinfolk_container_set_permits": (Status, Container, c_uint32, c_double, c_uint32),
    "kinfolk_container_set_private_work": (Status, Container, c_uint64, c_uint64),
    "kinfolk_container_set_field_limit": (Status, Container, c_uint32),
    "kinfolk_container_find_account": (Status, Container, Text, Text, Out(Account)),
    "kinfolk_container_block": (Status, Container, Text, Text),
    "kinfolk_container_unblock": (Status, Container, Text, Text),
    "kinfolk_container_remove_field": (Status, Container, Text),
    "kinfolk_container_free": (None, Container),
    # Session
    "kinfolk_session_open": (Status, Container, Account, Out(Session)),
    "kinfolk_session_open_anonymous": (Status, Container, Out(Session)),
    "kinfolk_session_account_status": (Status, Session, Out(Enum)),
    "kinfolk_session_user_record_id": (Status, Session, Out(Text)),
    "kinfolk_session_discoverability": (Status, Session, Out(Enum)),
    "kinfolk_session_set_discoverability": (Status, Session, Enum, Text, Text),
    "kinfolk_session_request_discoverability": (Status, Session, Text, Text, Prompt, Memory, Out(Enum)),
    "kinfolk_session_block": (Status, Session, Text),
    "kinfolk_session_unblock": (Status, Session, Text),
    "kinfolk_session_blocked": (Status, Session, Out(Blocked)),
    "kinfolk_blocked_count": (Size, Blocked),
    "kinfolk_blocked_record_id": (Text, Blocked, Size),
    "kinfolk_blocked_free": (None, Blocked),
    "kinfolk_session_export": (Status, Session, Out(Memory)),
    "kinfolk_session_on_account_changed": (Status, Session, AccountChanged, Memory),
    "kinfolk_session_free": (None, Session),
    # User record
    "kinfolk_container_add_field": (Status, Container, Text, Enum),
    "kinfolk_record_fetch": (Status, Session, Text, Enum, Out(Record)),
    "kinfolk_record_save": (Status, Session, Record, Enum),
    "kinfolk_record_id": (Text, Record),
    "kinfolk_record_database": (Enum, Record),
    "kinfolk_record_change_tag": (Text, Record),
    "kinfolk_record_created_at": (c_int64, Record),
    "kinfolk_record_modified_at": (c_int64, Record),
    "kinfolk_record_created_by": (Text, Record),
    "kinfolk_record_modified_by": (Text, Record),
    "kinfolk_record_field_count": (Size, Record),
    "kinfolk_record_field_name": (Text, Record, Size),
    "kinfolk_record_field_type": (Status, Record, Text, Out(Enum)),
    "kinfolk_record_set_string": (Status, Record, Text, Text),
    "kinfolk_record_set_int64": (Status, Record, Text, c_int64),
    "kinfolk_record_set_double": (Status, Record, Text, c_double),
    "kinfolk_record_set_boolean": (Status, Record, Text, c_bool),
    "kinfolk_record_set_bytes": (Status, Record, Text, Bytes, Size),
    "kinfolk_record_set_date": (Status, Record, Text, c_int64),
    "kinfolk_record_set_location": (Status, Record, Text, c_double, c_double),
    "kinfolk_record_set_reference": (Status, Record, Text, Text),
    "kinfolk_record_set_string_list": (Status, Record, Text, Array(Text), Size),
    "kinfolk_record_set_int64_list": (Status, Record, Text, Array(c_int64), Size),
    "kinfolk_record_set_double_list": (Status, Record, Text, Array(c_double), Size),
    "kinfolk_record_set_boolean_list": (Status, Record, Text, Array(c_bool), Size),
    "kinfolk_record_set_bytes_list": (Status, Record, Text, Array(Bytes), Array(Size), Size),
    "kinfolk_record_set_date_list": (Status, Record, Text, Array(c_int64), Size),
    "kinfolk_record_set_location_list": (Status, Record, Text, Array(c_double), Array(c_double), Size),
    "kinfolk_record_set_reference_list": (Status, Record, Text, Array(Text), Size),
    "kinfolk_record_get_string": (Status, Record, Text, Size, Out(Text)),
    "kinfolk_record_get_int64": (Status, Record, Text, Size, Out(c_int64)),
    "kinfolk_record_get_double": (Status, Record, Text, Size, Out(c_double)),
    "kinfolk_record_get_boolean": (Status, Record, Text, Size, Out(c_bool)),
    "kinfolk_record_get_bytes": (Status, Record, Text, Size, Out(Memory), Out(Size)),
    "kinfolk_record_get_date": (Status, Record, Text, Size, Out(c_int64)),
    "kinfolk_record_get_location": (Status, Record, Text, Size, Out(c_double), Out(c_double)),
    "kinfolk_record_get_reference": (Status, Record, Text, Size, Out(Text)),
    "kinfolk_record_get_count": (Status, Record, Text, Out(Size)),
    "kinfolk_record_remove": (Status, Record, Text),
    "kinfolk_record_free": (None, Record),
    # Contacts
    "kinfolk_contacts_new": (Status, Out(Contacts)),
    "kinfolk_contacts_add_email": (Status, Contacts, Text, Text),
    "kinfolk_contacts_add_hash": (Status, Contacts, Bytes, Size, Text),
    "kinfolk_contacts_add_text": (Status, Contacts, Text, Size, Out(Import)),
    "kinfolk_contacts_add_vcard": (Status, Contacts, Text, Size, Out(Import)),
    "kinfolk_contacts_add_csv": (Status, Contacts, Text, Size, Out(Import)),
    "kinfolk_contacts_add_file": (Status, Contacts, Text, Out(Import)),
    "kinfolk_import_added": (Size, Import),
    "kinfolk_import_entries": (Size, Import),
    "kinfolk_import_without_email": (Size, Import),
    "kinfolk_import_skipped": (Size, Import),
    "kinfolk_import_skip_count": (Size, Import),
    "kinfolk_import_skip_line": (Size, Import, Size),
    "kinfolk_import_skip_reason": (Text, Import, Size),
    "kinfolk_import_free": (None, Import),
    "kinfolk_contacts_count": (Size, Contacts),
    "kinfolk_contacts_label": (Text, Contacts, Size),
    "kinfolk_contacts_get_hash": (Status, Contacts, Size, Bytes),
    "kinfolk_contacts_free": (None, Contacts),
    # Discovery
    "kinfolk_discover_record_id": (Status, Session, Text, Out(Identities)),
    "kinfolk_discover_email": (Status, Session, Text, Out(Identities)),
    "kinfolk_discover_contacts": (Status, Session, Contacts, Bytes, Size, Out(Identities)),
    "kinfolk_identities_sync_state": (Status, Identities, Out(Memory), Out(Size)),
    "kinfolk_identities_count": (Size, Identities),
    "kinfolk_identities_record_id": (Text, Identities, Size),
    "kinfolk_identities_given_name": (Text, Identities, Size),
    "kinfolk_identities_family_name": (Text, Identities, Size),
    "kinfolk_identities_contact_count": (Size, Identities, Size),
    "kinfolk_identities_contact_index": (Size, Identities, Size, Size),
    "kinfolk_identities_contact_label": (Text, Identities, Size, Size),
    "kinfolk_identities_free": (None, Identities),
    # Private discovery
    "kinfolk_container_directory_modes": (Status, Container, Out(c_uint32)),
    "kinfolk_container_set_directory_modes": (Status, Container, c_uint32, Progress, Memory),
    "kinfolk_container_announce_next_private_key": (Status, Container, Out(c_uint32)),
    "kinfolk_container_renew_private_key": (Status, Container, Progress, Memory, Out(c_uint32)),
    "kinfolk_container_end_private_epochs": (Status, Container, c_uint32),
    "kinfolk_container_set_prefix_bits": (Status, Container, c_int32),
    "kinfolk_container_private_epochs": (Status, Container, Out(PrivateEpochs)),
    "kinfolk_private_epochs_count": (Size, PrivateEpochs),
    "kinfolk_private_epochs_number": (c_uint32, PrivateEpochs, Size),
    "kinfolk_private_epochs_public_key": (Memory, PrivateEpochs, Size),
    "kinfolk_private_epochs_is_complete": (c_bool, PrivateEpochs, Size),
    "kinfolk_private_epochs_is_announced": (c_bool, PrivateEpochs, Size),
    "kinfolk_private_epochs_row_count": (c_uint64, PrivateEpochs, Size),
    "kinfolk_private_epochs_prefix_bits": (c_uint32, PrivateEpochs, Size),
    "kinfolk_private_epochs_free": (None, PrivateEpochs),
    "kinfolk_service_bucket_public_key": (Status, Service, Bytes),
    "kinfolk_session_answer": (Status, Session, Bytes, Size, c_uint32, Out(Memory), Out(Size)),
    "kinfolk_private_client_new": (
        Status,
        Text,
        Bytes,
        Size,
        Bytes,
        Bytes,
        Bytes,
        Size,
        c_uint32,
        Out(PrivateClient),
    ),
    "kinfolk_private_client_set_contacts": (Status, PrivateClient, Contacts),
    "kinfolk_private_client_begin": (Status, PrivateClient),
    "kinfolk_private_client_set_maximum_prefix_bits": (Status, PrivateClient, c_uint32),
    "kinfolk_private_client_next_request": (Status, PrivateClient, Out(Memory), Out(Size)),
    "kinfolk_private_client_receive": (Status, PrivateClient, Bytes, Size),
    "kinfolk_private_client_identities": (Status, PrivateClient, Out(Identities)),
    "kinfolk_private_client_state": (Status, PrivateClient, Out(Memory), Out(Size)),
    "kinfolk_private_client_filler_secret": (Status, PrivateClient, Bytes),
    "kinfolk_private_client_free": (None, PrivateClient),
    "kinfolk_discover_contacts_privately": (Status, Session, Contacts, Bytes, Size, c_uint32, Out(Identities)),
}
