"""The table of declarations and the header say the same."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path

import pytest

import kinfolk
from kinfolk import _declarations as c

HEADER = (Path(__file__).parents[3] / "Include" / "kinfolk.h").read_text(encoding="utf-8")
CODE = re.sub(r"/\*.*?\*/", " ", HEADER, flags=re.S)

HANDLES = {
    "kinfolk_service": c.Service,
    "kinfolk_account": c.Account,
    "kinfolk_accounts": c.Accounts,
    "kinfolk_people_import": c.PeopleImport,
    "kinfolk_audit": c.Audit,
    "kinfolk_check": c.Check,
    "kinfolk_emails": c.Emails,
    "kinfolk_claims": c.Claims,
    "kinfolk_erasure": c.Erasure,
    "kinfolk_container": c.Container,
    "kinfolk_containers": c.Containers,
    "kinfolk_statistics": c.Statistics,
    "kinfolk_operator_blocks": c.OperatorBlocks,
    "kinfolk_session": c.Session,
    "kinfolk_blocked": c.Blocked,
    "kinfolk_record": c.Record,
    "kinfolk_contacts": c.Contacts,
    "kinfolk_import": c.Import,
    "kinfolk_identities": c.Identities,
    "kinfolk_private_epochs": c.PrivateEpochs,
    "kinfolk_private_client": c.PrivateClient,
}
ENUMS = {
    "kinfolk_status": kinfolk.ErrorCode,
    "kinfolk_account_status": kinfolk.AccountStatus,
    "kinfolk_code_purpose": kinfolk.CodePurpose,
    "kinfolk_claim_state": kinfolk.ClaimState,
    "kinfolk_discoverability": kinfolk.Discoverability,
    "kinfolk_database": kinfolk.Database,
    "kinfolk_finding": kinfolk.FindingKind,
    "kinfolk_field_type": kinfolk.FieldType,
    "kinfolk_save_policy": kinfolk.SavePolicy,
}
VALUES = {
    "bool": ctypes.c_bool,
    "double": ctypes.c_double,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uint32_t": ctypes.c_uint32,
    "uint64_t": ctypes.c_uint64,
    "kinfolk_progress_fn": c.Progress,
    "kinfolk_prompt_fn": c.Prompt,
    "kinfolk_account_changed_fn": c.AccountChanged,
    **dict.fromkeys(ENUMS, c.Enum),
}
POINTERS = {
    "char *": ctypes.c_char_p,
    "uint8_t *": ctypes.c_char_p,
    "void *": ctypes.c_void_p,
    # A text that is to be freed, and bytes, come back as an address; a borrowed text as a text.
    "char **": ctypes.POINTER(ctypes.c_void_p),
    "uint8_t **": ctypes.POINTER(ctypes.c_void_p),
    "const char **": ctypes.POINTER(ctypes.c_char_p),
    "const uint8_t **": ctypes.POINTER(ctypes.c_void_p),
    "const char *const *": ctypes.POINTER(ctypes.c_char_p),
    "const uint8_t *const *": ctypes.POINTER(ctypes.c_char_p),
    "kinfolk_open_options *": ctypes.POINTER(c.OpenOptions),
    **{f"{name} *": ctypes.POINTER(value) for name, value in VALUES.items()},
    **{f"{name} *": handle for name, handle in HANDLES.items()},
    **{f"{name} **": ctypes.POINTER(handle) for name, handle in HANDLES.items()},
}


def parse(declaration: str) -> tuple[str, str]:
    """Splits "const char *name" into type and name."""
    match = re.fullmatch(r"(.*?)(\w+)", declaration.strip(), flags=re.S)
    assert match
    return " ".join(match[1].split()), match[2]


# Bytes that are lent may hold zeros, at which a c_char_p would end.
LENT = {"const uint8_t *": ctypes.c_void_p}


def python_type(c_type: str) -> object:
    if c_type in VALUES:
        return VALUES[c_type]
    return POINTERS[c_type] if c_type in POINTERS else POINTERS[c_type.replace("const ", "")]


FUNCTIONS = {}
for result, name, arguments in re.findall(r"^([\w ]+?[ *]+)(kinfolk_\w+)\(([^)]*)\);", CODE, flags=re.M):
    types = [] if arguments.strip() == "void" else [parse(each)[0] for each in arguments.split(",")]
    FUNCTIONS[name] = (result.strip(), types)


def test_the_header_is_understood() -> None:
    # As many as there are lines that end a prototype, typedefs of functions apart.
    assert len(FUNCTIONS) == len(re.findall(r"\);", CODE)) - len(re.findall(r"typedef [^;{]*\(\*", CODE))
    assert len(FUNCTIONS) > 100


def test_the_table_has_the_functions_of_the_header_in_its_order() -> None:
    assert list(c.FUNCTIONS) == list(FUNCTIONS)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_declaration_has_the_types_of_the_header(name: str) -> None:
    result, arguments = FUNCTIONS[name]
    declared_result, *declared_arguments = c.FUNCTIONS[name]
    assert declared_arguments == [python_type(each) for each in arguments]
    if result == "kinfolk_status":
        assert declared_result == c.Status
    else:
        assert declared_result == (None if result == "void" else LENT.get(result) or python_type(result))


@pytest.mark.parametrize("name", ENUMS)
def test_an_enum_has_the_names_and_numbers_of_the_header(name: str) -> None:
    body = re.search(rf"typedef enum {name} \{{(.*?)\}}", CODE, flags=re.S)
    assert body
    header = {word: int(number) for word, number in re.findall(r"KINFOLK_(\w+) = (\d+)", body[1])}
    header.pop("OK", None)
    python = {member.name: member.value for member in ENUMS[name]}
    assert list(header.values()) == list(python.values())
    for word, member in zip(header, python):
        assert word.endswith(member)


def test_directory_modes_have_the_names_and_numbers_of_the_header() -> None:
    header = {word: int(number) for word, number in re.findall(r"#define KINFOLK_DIRECTORY_(\w+) (\d+)u", CODE)}
    assert header == {member.name: member.value for member in kinfolk.DirectoryModes}


def test_the_length_of_a_public_key_is_that_of_the_header() -> None:
    from kinfolk._private_epoch import PUBLIC_KEY_LENGTH

    assert f"#define KINFOLK_PUBLIC_KEY_LENGTH {PUBLIC_KEY_LENGTH} " in CODE


def test_the_options_have_the_fields_of_the_header() -> None:
    body = re.search(r"typedef struct kinfolk_open_options \{(.*?)\}", CODE, flags=re.S)
    assert body
    fields = [parse(each) for each in body[1].split(";") if each.strip()]
    assert [(name, python_type(c_type)) for c_type, name in fields] == list(c.OpenOptions._fields_)


def test_the_version_is_that_of_the_header() -> None:
    number = re.search(r"#define KINFOLK_VERSION_NUMBER (\d+)", CODE)
    version = re.search(r'#define KINFOLK_VERSION "(.+)"', CODE)
    assert number
    assert version
    assert int(number[1]) == c.VERSION_NUMBER
    assert version[1] == kinfolk.__version__


def test_every_status_has_an_exception() -> None:
    from kinfolk._errors import BY_CODE

    assert set(BY_CODE) == set(kinfolk.ErrorCode)


def test_every_function_with_a_status_is_checked() -> None:
    from kinfolk._ffi import check_error, lib

    for name, (result, *_) in c.FUNCTIONS.items():
        assert getattr(getattr(lib, name), "errcheck", None) is (check_error if result is c.Status else None), name
