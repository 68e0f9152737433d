"""The declarations of C, which generate-declarations writes, and what relies on them."""

from __future__ import annotations

import kinfolk
from kinfolk import _declarations as c


def test_the_version_is_that_of_the_header() -> None:
    major, minor, patch = map(int, c.VERSION.split("."))
    assert kinfolk.__version__ == c.VERSION
    assert major * 1_000_000 + minor * 1_000 + patch == c.VERSION_NUMBER


def test_every_status_has_an_exception() -> None:
    from kinfolk._failures import BY_CODE

    assert set(BY_CODE) == set(kinfolk.ErrorCode)


def test_every_function_with_a_status_is_checked() -> None:
    from kinfolk._failures import check_error
    from kinfolk._ffi import lib

    for name, (result, *_) in c.FUNCTIONS.items():
        assert getattr(getattr(lib, name), "errcheck", None) is (check_error if result is c.Status else None), name


def test_the_functions_that_may_find_no_file_have_a_status() -> None:
    from kinfolk._failures import OF_FILES

    assert {c.FUNCTIONS[name][0] for name in OF_FILES} == {c.Status}


def test_the_number_of_a_list_type_is_that_of_its_values_plus_16() -> None:
    for kind in kinfolk.FieldType:
        assert kind.is_list == kind.name.endswith("_LIST")
        assert kind.element is kinfolk.FieldType[kind.name.replace("_LIST", "")]
