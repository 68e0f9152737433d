"""generate-declarations, which writes kinfolk._declarations."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1]
HEADER = FOLDER.parents[1] / "Include" / "kinfolk.h"
pytestmark = pytest.mark.skipif(
    not (FOLDER / "generate-declarations").exists() or not HEADER.exists(), reason="only the source tree has them"
)


@pytest.fixture
def generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The generator as a module. It reads copies of the header and the package."""
    loader = SourceFileLoader("generate_declarations", str(FOLDER / "generate-declarations"))
    spec = spec_from_loader(loader.name, loader)
    assert spec
    module = module_from_spec(spec)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    loader.exec_module(module)
    shutil.copy(HEADER, tmp_path)
    monkeypatch.setattr(module, "HEADER", tmp_path / "kinfolk.h")
    return module


def reword(file: Path, found: str, written: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.count(found) == 1
    file.write_text(text.replace(found, written), encoding="utf-8")


LAST = "#ifdef __cplusplus\n}\n#endif"


def declare(generator: Any, declarations: str) -> None:
    """Adds declarations at the end of the header."""
    reword(generator.HEADER, LAST, f"{declarations}\n\n{LAST}")


def complaint_of(generator: Any) -> str:
    """What the generator says when it stops."""
    with pytest.raises(SystemExit) as raised:
        generator.source()
    return str(raised.value)


def test_the_output_equals_the_file_of_the_package() -> None:
    result = subprocess.run([sys.executable, FOLDER / "generate-declarations", "-"], capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == (FOLDER / "src" / "kinfolk" / "_declarations.py").read_text(encoding="utf-8")


def test_a_complaint_is_an_error_without_output(tmp_path: Path) -> None:
    python = tmp_path / "bindings" / "python"
    python.mkdir(parents=True)
    (tmp_path / "Include").mkdir()
    shutil.copy(FOLDER / "generate-declarations", python)
    (tmp_path / "Include" / "kinfolk.h").write_text("int kinfolk_new(void);\n")
    script = python / "generate-declarations"
    result = subprocess.run([sys.executable, script, "-"], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (1, "")
    assert "kinfolk.h, line 1: the type int is not known" in result.stderr


@pytest.mark.parametrize(
    ("declaration", "row"),
    [
        ("void kinfolk_new(void);", "(None,)"),
        ("kinfolk_status kinfolk_new(void);", "(Status,)"),
        ("const char *kinfolk_new(kinfolk_status status, kinfolk_database_scope kind);", "(Text, Enum, Enum)"),
        ("const uint8_t *kinfolk_new(const char *text);", "(Memory, Text)"),
        (
            "kinfolk_database_scope kinfolk_new(kinfolk_database_scope *a, const kinfolk_database_scope *b);",
            "(Enum, Out(Enum), Array(Enum))",
        ),
        ("bool kinfolk_new(bool a, int32_t b, int64_t c);", "(c_bool, c_bool, c_int32, c_int64)"),
        ("uint32_t kinfolk_new(uint32_t a, uint64_t b);", "(c_uint32, c_uint32, c_uint64)"),
        ("double kinfolk_new(double *a, const double *b);", "(c_double, Out(c_double), Array(c_double))"),
        ("size_t kinfolk_new(size_t *a, const size_t *b);", "(Size, Out(Size), Array(Size))"),
        (
            "void kinfolk_new(char **a, const char **b, const char *const *c);",
            "(None, Out(Memory), Out(Text), Array(Text))",
        ),
        ("void kinfolk_new(uint8_t *a, const uint8_t *b);", "(None, Bytes, Bytes)"),
        ("void kinfolk_new(uint8_t **a, const uint8_t **b);", "(None, Out(Memory), Out(Memory))"),
        ("void kinfolk_new(const uint8_t *const *a, void *b);", "(None, Array(Bytes), Memory)"),
        (
            "void kinfolk_new(const char *const **a, const uint8_t *const **b);",
            "(None, Out(Array(Text)), Out(Array(Memory)))",
        ),
        ("void kinfolk_new(const bool **a, const size_t **b);", "(None, Out(Array(c_bool)), Out(Array(Size)))"),
        ("kinfolk_record *kinfolk_new(const kinfolk_record *a);", "(Record, Record)"),
        ("void kinfolk_new(kinfolk_record *a, kinfolk_record **b);", "(None, Record, Out(Record))"),
        ("const kinfolk_record *kinfolk_new(const kinfolk_record **a);", "(Record, Out(Record))"),
        ("void kinfolk_new(const kinfolk_record *const *a);", "(None, Array(Record))"),
        ("void kinfolk_new(const kinfolk_open_options *a);", "(None, POINTER(OpenOptions))"),
        ("void kinfolk_new(kinfolk_progress_fn progress, void *context);", "(None, Progress, Memory)"),
        ("void kinfolk_new(const char *a,\n    /* a, comment); */ size_t b);", "(None, Text, Size)"),
    ],
)
def test_each_c_type_has_a_ctypes_type(generator: Any, declaration: str, row: str) -> None:
    declare(generator, declaration)
    written = generator.source()
    assert written.endswith(f'    "kinfolk_new": {row},\n}}\n')


@pytest.mark.parametrize(
    ("declaration", "row"),
    [
        ("typedef void (*kinfolk_new_thing_fn)(const char *text, const uint8_t *bytes);", "None, Text, Memory"),
        (
            "typedef kinfolk_database_scope (*kinfolk_new_thing_fn)(const kinfolk_record *a, void *b);",
            "Enum, Record, Memory",
        ),
    ],
)
def test_a_callback_gets_borrowed_arguments(generator: Any, declaration: str, row: str) -> None:
    declare(generator, declaration)
    written = generator.source()
    assert f"\nNewThing = CFUNCTYPE({row})\n" in written


def test_a_handle_a_struct_and_a_constant_are_declared(generator: Any) -> None:
    declare(
        generator,
        """#define KINFOLK_NEW_LENGTH 7 /* bytes */
/* ---- New (for a test) ------- */
typedef struct kinfolk_new_thing kinfolk_new_thing;
typedef struct kinfolk_new_options {
    double wait;         /* comments; also with semicolons */
    const uint8_t *key;
} kinfolk_new_options;
#define KINFOLK_NEW_OPTIONS_INIT { -1.5, NULL }
void kinfolk_new_thing_free(kinfolk_new_thing *thing);""",
    )
    written = generator.source()
    assert "\nNEW_LENGTH = 7\n" in written
    assert "\nNO_QUOTA = 0xFFFFFFFFFFFFFFFF\n" in written
    assert "\nNEW_OPTIONS_INIT = (-1.5, None)\n" in written
    assert '\nNewThing = _opaque("kinfolk_new_thing")\n' in written
    assert '    _fields_ = (\n        ("wait", c_double),\n        ("key", Bytes),\n    )\n' in written
    assert written.endswith('\n    # New (for a test)\n    "kinfolk_new_thing_free": (None, NewThing),\n}\n')


@pytest.mark.parametrize(
    ("declaration", "complaint"),
    [
        ("unsigned kinfolk_new(void);", "the type unsigned is not known"),
        ("kinfolk_unknown *kinfolk_new(void);", "the type kinfolk_unknown * is not known"),
        ("char *kinfolk_new(void);", "the type char * is not known for something that C returns"),
        ("void kinfolk_new(char *text);", "the type char * is not known for something that Python passes"),
        ("void kinfolk_new(kinfolk_open_options *options);", "the type kinfolk_open_options * is not known"),
        ("void kinfolk_new(kinfolk_record record);", "the type kinfolk_record is not known"),
        ("KINFOLK_EXPORT void kinfolk_new(void);", "the type KINFOLK_EXPORT void is not known"),
        ("void kinfolk_new();", "not understood as a type and a name"),
        ("void kinfolk_new(const char *text, ...);", "not understood as a type and a name: ..."),
        ("void kinfolk_new(uint8_t key[32]);", "not understood as a type and a name: uint8_t key[32]"),
        ("void kinfolk_new(const char*text);", "not understood as a type and a name: const char*text"),
        ("void kinfolk_new(void (*changed)(void));", "this declaration is not understood"),
        ("extern int kinfolk_new;", "this declaration is not understood"),
        ("struct kinfolk_new;", "this declaration is not understood"),
        ("static inline void kinfolk_new(void) { }", "this is not understood"),
        ("void kinfolk_new(void)", "this is not understood"),
        ("void kinfolk_free(void *memory);", "kinfolk_free is declared twice"),
        ("typedef struct kinfolk_new kinfolk_new;", "no function void kinfolk_new_free(kinfolk_new *)"),
        ("typedef struct kinfolk_new kinfolk_other;", "two names of one type"),
        ("typedef struct kinfolk_new { bool a; } kinfolk_new;", "the macro with the first values of kinfolk_new"),
        (
            "typedef enum kinfolk_new { KINFOLK_NEW } kinfolk_new;",
            "not understood as a name and its number: KINFOLK_NEW",
        ),
        (
            "typedef enum kinfolk_new { KINFOLK_NEW = 1 } kinfolk_new;",
            "ENUMS does not say which Python class kinfolk_new is",
        ),
        ("typedef char *(*kinfolk_new_fn)(void *context);", "the type char * is not known"),
        ("typedef const char *(*kinfolk_new_fn)(void *context);", "ctypes has no callbacks that return const char *"),
        (
            "typedef struct kinfolk_text kinfolk_text;\nvoid kinfolk_text_free(kinfolk_text *a);",
            "the Python names ['Text']",
        ),
        ("#if 1\nvoid kinfolk_new(void);\n#endif", "this directive is not understood: #if 1"),
        ("#define KINFOLK_NEW (1 + 1)", "this value is not understood: (1 + 1)"),
        ("#define KINFOLK_NEW(x) x", "this directive is not understood"),
        ("#define KINFOLK_NEW 1u", "FLAGS does not say which Python class has the flag KINFOLK_NEW"),
        ("#define KINFOLK_NEW { 1, 2 }", "does not end in _INIT"),
        ("#define KINFOLK_VERSION_NUMBER 3", "VERSION_NUMBER is declared twice"),
    ],
)
def test_unknown_declarations_are_reported(generator: Any, declaration: str, complaint: str) -> None:
    declare(generator, declaration)
    assert complaint in complaint_of(generator)


def test_the_line_of_an_unknown_declaration_is_named(generator: Any) -> None:
    declare(generator, "int kinfolk_new(void);")
    line = generator.HEADER.read_text(encoding="utf-8").split("\n").index("int kinfolk_new(void);") + 1
    assert f"kinfolk.h, line {line}: " in complaint_of(generator)


@pytest.mark.parametrize(
    ("file", "found", "written", "complaint"),
    [
        ("_error_code.py", "    CONFLICT = 8\n", "", "ErrorCode in _error_code.py lacks CONFLICT = 8"),
        ("_field_type.py", "DATE = 6", "DATE = 9", "FieldType.DATE in _field_type.py is 9, and 6 in the header"),
        (
            "_database_scope.py",
            "PRIVATE = 1",
            "PRIVATE = 1\n    SHARED = 2",
            "DatabaseScope.SHARED in _database_scope.py is not in the header",
        ),
        ("_discoverability.py", "GRANTED = 1\n    DENIED = 2", "DENIED = 2\n    GRANTED = 1", "are in another order"),
        ("_save_policy.py", "CHANGED_KEYS", "CHANGED", "SavePolicy in _save_policy.py lacks CHANGED_KEYS = 1"),
        (
            "_directory_modes.py",
            "PRIVATE = 2",
            "PRIVATE = 4",
            "DirectoryModes.PRIVATE in _directory_modes.py is 4, and 2",
        ),
        (
            "_key_rotation.py",
            "SYNC_STATES = 4",
            "SYNC_STATES = 3",
            "RotationConsequences.SYNC_STATES in _key_rotation.py is 3",
        ),
        ("_claim.py", "class ClaimState", "class StateOfClaim", "there is no ClaimState in _claim.py"),
    ],
)
def test_an_enum_that_differs_from_the_header_is_reported(
    generator: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    file: str,
    found: str,
    written: str,
    complaint: str,
) -> None:
    package = tmp_path / "kinfolk"
    shutil.copytree(FOLDER / "src" / "kinfolk", package, ignore=shutil.ignore_patterns("*.pyc"))
    monkeypatch.setattr(generator, "PACKAGE", package)
    reword(package / file, found, written)
    assert complaint in complaint_of(generator)


@pytest.mark.parametrize(
    ("found", "written", "complaint"),
    [
        (
            "KINFOLK_ASSET_FILE_MODIFIED = 21 ",
            "KINFOLK_ASSET_FILE_MODIFIED = 21, KINFOLK_LATE = 22 ",
            "ErrorCode in _error_code.py lacks LATE = 22",
        ),
        ("KINFOLK_CLAIM_WAITING = 2,", "KINFOLK_WAITING = 2,", "KINFOLK_WAITING does not begin with KINFOLK_CLAIM_"),
        ("#define KINFOLK_DIRECTORY_PRIVATE 2u", "#define KINFOLK_DIRECTORY_PRIVATE 8u", "is 2, and 8 in the header"),
        ("{ 3, false, NULL,", "{ 3, NULL,", "the macro with the first values of kinfolk_open_options"),
    ],
)
def test_a_change_of_the_header_that_the_package_does_not_follow_is_reported(
    generator: Any, found: str, written: str, complaint: str
) -> None:
    reword(generator.HEADER, found, written)
    assert complaint in complaint_of(generator)
