"""The canonical form of an e-mail address, from docs/canonical-email.md alone.

An implementation to compare the library with. It knows nothing of the library, and uses the standard library of Python
only. `unicodedata` has the version of Unicode that this Python has. What it has no data for
(scripts, joining types) is in the tables at the end.
"""

from __future__ import annotations

import hashlib
import unicodedata
from bisect import bisect_right

WHITE_SPACE = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
    "\u202f\u205f\u3000"
)
ATEXT = frozenset("abcdefghijklmnopqrstuvwxyz0123456789!#$%&'*+-/=?^_`{|}~")
DOTS = "。．｡"


class Refused(ValueError):
    """The address is refused; the argument is the reason, with the page's name for it."""


def contact_hash(text: str) -> bytes:
    return hashlib.sha256(canonical(text).encode()).digest()


def canonical(text: str) -> str:
    # 1. Trim
    text = text.strip(WHITE_SPACE + "\ufeff")
    # 2. Split
    if len(text.encode()) > 1024:
        raise Refused("addressTooLong")
    at = max(text.rfind("@"), text.rfind("＠"))
    if at < 0:
        raise Refused("noAtSign")
    if at == 0:
        raise Refused("emptyLocalPart")
    if at + 1 == len(text):
        raise Refused("emptyDomain")
    # 3, 4, 5
    return join(local_part(text[:at]), text[at + 1 :])


# 3. Local part


def local_part(name: str) -> str:
    if not name.isascii():
        name = username_case_mapped(name)
    if len(name.encode()) > 64:
        raise Refused("localPartTooLong")
    name = "".join(lower_ascii(character) for character in name)
    for index, character in enumerate(name):
        if character == ".":
            if index in (0, len(name) - 1) or name[index - 1] == "." or name[index + 1] == ".":
                raise Refused("misplacedDot")
        elif character.isascii() and character not in ATEXT:
            raise Refused("quotedLocalPart" if index == 0 and character == '"' else "forbiddenCharacter")
    return name


def username_case_mapped(name: str) -> str:
    name = "".join(map(width_mapped, name))
    name = unicodedata.normalize("NFC", lowercased(name))
    if any(unicodedata.category(character) == "Cn" for character in name):
        raise Refused("forbiddenCharacter")
    if not satisfies_bidi_rule(name):
        raise Refused("mixedDirections")
    if not all(character.isascii() or in_identifier_class(name, index) for index, character in enumerate(name)):
        raise Refused("forbiddenCharacter")
    return name


def width_mapped(character: str) -> str:
    tag, _, parts = unicodedata.decomposition(character).partition(" ")
    return chr(int(parts, 16)) if tag in ("<wide>", "<narrow>") else character


def lower_ascii(character: str) -> str:
    return character.lower() if character.isascii() else character


def lowercased(name: str) -> str:
    # Python's lower() is Unicode's toLowercase() with Final_Sigma.
    return name.lower()


# The classes


def in_identifier_class(name: str, index: int) -> bool:
    """The IdentifierClass of PRECIS with its contextual rules, for characters beyond ASCII of a name in NFC."""
    character = name[index]
    if character in "ßς۽۾་〇":
        return True
    if character in "\u0640\u07fa\u302e\u302f\u3031\u3032\u3033\u3034\u3035\u303b":
        return False
    context = satisfies_context(name, index)
    if context is not None:
        return context
    if unicodedata.category(character) not in ("Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"):
        return False
    code = ord(character)
    if 0x1100 <= code <= 0x11FF or 0xA960 <= code <= 0xA97C or 0xD7B0 <= code <= 0xD7C6 or 0xD7CB <= code <= 0xD7FB:
        return False
    if is_default_ignorable(code):
        return False
    return unicodedata.normalize("NFKC", character) == unicodedata.normalize("NFC", character)


def is_default_ignorable(code: int) -> bool:
    """Complete for letters and marks; it is not called for other characters."""
    return (
        code in (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180F, 0x3164, 0xFFA0)
        or 0x180B <= code <= 0x180D
        or 0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
    )


def satisfies_context(name: str, index: int) -> bool | None:
    character = name[index]
    before = name[index - 1] if index else ""
    after = name[index + 1 : index + 2]
    if character == "\u200c":
        return is_virama(before) or joins(name, index)
    if character == "\u200d":
        return is_virama(before)
    if character == "\u00b7":
        return before == "l" and after == "l"
    if character == "\u0375":
        return after != "" and is_of(GREEK, after)
    if character in "\u05f3\u05f4":
        return before != "" and is_of(HEBREW, before)
    if character == "\u30fb":
        return any(is_of(JAPANESE, other) for other in name)
    if "\u0660" <= character <= "\u0669":
        return not any("\u06f0" <= other <= "\u06f9" for other in name)
    if "\u06f0" <= character <= "\u06f9":
        return not any("\u0660" <= other <= "\u0669" for other in name)
    return None


def is_virama(character: str) -> bool:
    return character != "" and unicodedata.combining(character) == 9


def joins(name: str, index: int) -> bool:
    left = [joining_type(character) for character in name[:index]]
    right = [joining_type(character) for character in name[index + 1 :]]
    while left and left[-1] == "T":
        left.pop()
    while right and right[0] == "T":
        right.pop(0)
    return bool(left and right) and left[-1] in "LD" and right[0] in "RD"


def joining_type(character: str) -> str:
    code = ord(character)
    position = bisect_right(JOINING, (code, 0x110000, "")) - 1
    if position >= 0 and code <= JOINING[position][1]:
        return JOINING[position][2]
    return "T" if unicodedata.category(character) in ("Mn", "Me", "Cf") and code not in NOT_TRANSPARENT else "U"


def is_of(script: tuple[tuple[int, int], ...], character: str) -> bool:
    code = ord(character)
    return any(first <= code <= last for first, last in script) and unicodedata.category(character) != "Cn"


def satisfies_bidi_rule(name: str) -> bool:
    directions = [unicodedata.bidirectional(character) for character in name]
    if not {"R", "AL", "AN"}.intersection(directions):
        return True
    if directions[0] not in ("R", "AL"):
        return False
    if not set(directions) <= {"R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"}:
        return False
    while directions[-1] == "NSM":
        directions.pop()
    return directions[-1] in ("R", "AL", "EN", "AN") and not ("EN" in directions and "AN" in directions)


# 4. Domain


def join(address: str, domain: str) -> str:
    def append(text: str) -> None:
        nonlocal address
        address += text
        if len(address.encode()) > 254:
            raise Refused("addressTooLong")

    append("@")
    if domain[0] == "[":
        raise Refused("addressLiteral")
    for dot in DOTS:
        domain = domain.replace(dot, ".")
    labels = []
    for label in domain.split("."):
        if labels:
            append(".")
        labels.append(canonical_label(label))
        append(labels[-1])
    if len(labels) == 1:
        raise Refused("unqualifiedDomain")
    if labels[-1].isdigit():
        raise Refused("addressLiteral")
    return address


def canonical_label(label: str) -> str:
    if not label.isascii():
        label = unicodedata.normalize("NFC", "".join(map(label_mapped, label)))
        if not label.isascii():
            check_u_label(label)
            return checked_length("xn--" + punycode_encoded(label))
    label = "".join(map(lower_ascii, label))
    if label.startswith("xn--"):
        u_label = punycode_decoded(label[4:])
        check_u_label(u_label)
        if "xn--" + punycode_encoded(u_label) != label:
            raise Refused("malformedDomain")
    if (
        not label
        or label[0] == "-"
        or label[-1] == "-"
        or not set(label) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    ):
        raise Refused("malformedDomain")
    return checked_length(label)


def checked_length(label: str) -> str:
    if len(label) > 63:
        raise Refused("malformedDomain")
    return label


def label_mapped(character: str) -> str:
    code = ord(character)
    if character in "ßς\u200c\u200d":
        return character
    if character == "ẞ":
        return "ß"
    if (
        code in (0xAD, 0x34F, 0x180F, 0x200B, 0x2060, 0x2064, 0xFEFF)
        or 0x180B <= code <= 0x180D
        or 0xFE00 <= code <= 0xFE0F
        or 0x1BCA0 <= code <= 0x1BCA3
        or 0xE0100 <= code <= 0xE01EF
    ):
        return ""
    mapped = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", character).casefold())
    return unicodedata.normalize("NFKC", mapped.casefold())


def check_u_label(label: str) -> None:
    if (
        label.isascii()
        or unicodedata.normalize("NFC", label) != label
        or label[2:4] == "--"
        or label[0] == "-"
        or label[-1] == "-"
        or unicodedata.category(label[0]) in ("Mn", "Mc", "Me")
        or not satisfies_bidi_rule(label)
        or not all(in_label_class(label, index) for index in range(len(label)))
    ):
        raise Refused("malformedDomain")


def in_label_class(label: str, index: int) -> bool:
    character = label[index]
    code = ord(character)
    if character.isascii():
        return character in "abcdefghijklmnopqrstuvwxyz0123456789-"
    if 0x20D0 <= code <= 0x20FF or 0x1D100 <= code <= 0x1D1FF or 0x1D200 <= code <= 0x1D24F:
        return False
    folded = unicodedata.normalize("NFKC", character.casefold())
    return in_identifier_class(label, index) and (character in "ßς" or folded == character)


# Punycode (RFC 3492), with the parameters of section 5


def adapted(delta: int, count: int, is_first: bool) -> int:
    delta = delta // 700 if is_first else delta // 2
    delta += delta // count
    k = 0
    while delta > 455:
        delta //= 35
        k += 36
    return k + 36 * delta // (delta + 38)


def threshold(k: int, bias: int) -> int:
    return min(max(k - bias, 1), 26)


def punycode_encoded(label: str) -> str:
    basic = [character for character in label if character.isascii()]
    output = "".join(basic) + ("-" if basic else "")
    n, delta, bias, done = 0x80, 0, 72, len(basic)
    while done < len(label):
        following = min(ord(character) for character in label if ord(character) >= n)
        delta += (following - n) * (done + 1)
        n = following
        for character in label:
            if ord(character) < n:
                delta += 1
            elif ord(character) == n:
                q, k = delta, 36
                while q >= (t := threshold(k, bias)):
                    output += DIGITS[t + (q - t) % (36 - t)]
                    q, k = (q - t) // (36 - t), k + 36
                output += DIGITS[q]
                bias = adapted(delta, done + 1, done == len(basic))
                delta, done = 0, done + 1
        delta, n = delta + 1, n + 1
    return output


def punycode_decoded(text: str) -> str:
    basic, _hyphen, digits = text.rpartition("-")
    output = list(basic)
    n, i, bias = 0x80, 0, 72
    position = 0
    while position < len(digits):
        start, weight, k = i, 1, 36
        while True:
            if position == len(digits) or digits[position] not in DIGITS:
                raise Refused("malformedDomain")
            digit = DIGITS.index(digits[position])
            position += 1
            i += digit * weight
            t = threshold(k, bias)
            if digit < t:
                break
            weight *= 36 - t
            k += 36
        bias = adapted(i - start, len(output) + 1, start == 0)
        n += i // (len(output) + 1)
        i %= len(output) + 1
        if n > 0x10FFFF or 0xD800 <= n <= 0xDFFF:
            raise Refused("malformedDomain")
        output.insert(i, chr(n))
        i += 1
    return "".join(output)


DIGITS = "abcdefghijklmnopqrstuvwxyz0123456789"

# Scripts.txt and DerivedJoiningType.txt of Unicode 14

GREEK = (
    (0x370, 0x373),
    (0x375, 0x37D),
    (0x37F, 0x384),
    (0x386, 0x386),
    (0x388, 0x3E1),
    (0x3F0, 0x3FF),
    (0x1D26, 0x1D2A),
    (0x1D5D, 0x1D61),
    (0x1D66, 0x1D6A),
    (0x1DBF, 0x1DBF),
    (0x1F00, 0x1FFE),
    (0x2126, 0x2126),
    (0xAB65, 0xAB65),
    (0x10140, 0x1018E),
    (0x101A0, 0x101A0),
    (0x1D200, 0x1D245),
)
HEBREW = (
    (0x591, 0x5F4),
    (0xFB1D, 0xFB4F),
)
JAPANESE = (
    (0x2E80, 0x2FD5),
    (0x3005, 0x3005),
    (0x3007, 0x3007),
    (0x3021, 0x3029),
    (0x3038, 0x303B),
    (0x3041, 0x3096),
    (0x309D, 0x309F),
    (0x30A1, 0x30FA),
    (0x30FD, 0x30FF),
    (0x31F0, 0x31FF),
    (0x32D0, 0x32FE),
    (0x3300, 0x3357),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAD9),
    (0xFF66, 0xFF6F),
    (0xFF71, 0xFF9D),
    (0x16FE2, 0x16FE3),
    (0x16FF0, 0x16FF1),
    (0x1AFF0, 0x1B167),
    (0x1F200, 0x1F200),
    (0x20000, 0x2EBE0),
    (0x2F800, 0x2FA1D),
    (0x30000, 0x3134A),
)
NOT_TRANSPARENT = frozenset(
    {
        0x600,
        0x601,
        0x602,
        0x603,
        0x604,
        0x605,
        0x6DD,
        0x890,
        0x891,
        0x8E2,
        0x180E,
        0x200C,
        0x200D,
        0x2066,
        0x2067,
        0x2068,
        0x2069,
        0x110BD,
        0x110CD,
    }
)
JOINING = (
    (0x620, 0x620, "D"),
    (0x622, 0x625, "R"),
    (0x626, 0x626, "D"),
    (0x627, 0x627, "R"),
    (0x628, 0x628, "D"),
    (0x629, 0x629, "R"),
    (0x62A, 0x62E, "D"),
    (0x62F, 0x632, "R"),
    (0x633, 0x63F, "D"),
    (0x641, 0x647, "D"),
    (0x648, 0x648, "R"),
    (0x649, 0x64A, "D"),
    (0x66E, 0x66F, "D"),
    (0x671, 0x673, "R"),
    (0x675, 0x677, "R"),
    (0x678, 0x687, "D"),
    (0x688, 0x699, "R"),
    (0x69A, 0x6BF, "D"),
    (0x6C0, 0x6C0, "R"),
    (0x6C1, 0x6C2, "D"),
    (0x6C3, 0x6CB, "R"),
    (0x6CC, 0x6CC, "D"),
    (0x6CD, 0x6CD, "R"),
    (0x6CE, 0x6CE, "D"),
    (0x6CF, 0x6CF, "R"),
    (0x6D0, 0x6D1, "D"),
    (0x6D2, 0x6D3, "R"),
    (0x6D5, 0x6D5, "R"),
    (0x6EE, 0x6EF, "R"),
    (0x6FA, 0x6FC, "D"),
    (0x6FF, 0x6FF, "D"),
    (0x710, 0x710, "R"),
    (0x712, 0x714, "D"),
    (0x715, 0x719, "R"),
    (0x71A, 0x71D, "D"),
    (0x71E, 0x71E, "R"),
    (0x71F, 0x727, "D"),
    (0x728, 0x728, "R"),
    (0x729, 0x729, "D"),
    (0x72A, 0x72A, "R"),
    (0x72B, 0x72B, "D"),
    (0x72C, 0x72C, "R"),
    (0x72D, 0x72E, "D"),
    (0x72F, 0x72F, "R"),
    (0x74D, 0x74D, "R"),
    (0x74E, 0x758, "D"),
    (0x759, 0x75B, "R"),
    (0x75C, 0x76A, "D"),
    (0x76B, 0x76C, "R"),
    (0x76D, 0x770, "D"),
    (0x771, 0x771, "R"),
    (0x772, 0x772, "D"),
    (0x773, 0x774, "R"),
    (0x775, 0x777, "D"),
    (0x778, 0x779, "R"),
    (0x77A, 0x77F, "D"),
    (0x7CA, 0x7EA, "D"),
    (0x840, 0x840, "R"),
    (0x841, 0x845, "D"),
    (0x846, 0x847, "R"),
    (0x848, 0x848, "D"),
    (0x849, 0x849, "R"),
    (0x84A, 0x853, "D"),
    (0x854, 0x854, "R"),
    (0x855, 0x855, "D"),
    (0x856, 0x858, "R"),
    (0x860, 0x860, "D"),
    (0x862, 0x865, "D"),
    (0x867, 0x867, "R"),
    (0x868, 0x868, "D"),
    (0x869, 0x86A, "R"),
    (0x870, 0x882, "R"),
    (0x886, 0x886, "D"),
    (0x889, 0x88D, "D"),
    (0x88E, 0x88E, "R"),
    (0x8A0, 0x8A9, "D"),
    (0x8AA, 0x8AC, "R"),
    (0x8AE, 0x8AE, "R"),
    (0x8AF, 0x8B0, "D"),
    (0x8B1, 0x8B2, "R"),
    (0x8B3, 0x8B8, "D"),
    (0x8B9, 0x8B9, "R"),
    (0x8BA, 0x8C8, "D"),
    (0x1807, 0x1807, "D"),
    (0x1820, 0x1878, "D"),
    (0x1887, 0x18A8, "D"),
    (0x18AA, 0x18AA, "D"),
    (0xA840, 0xA871, "D"),
    (0xA872, 0xA872, "L"),
    (0x10AC0, 0x10AC4, "D"),
    (0x10AC5, 0x10AC5, "R"),
    (0x10AC7, 0x10AC7, "R"),
    (0x10AC9, 0x10ACA, "R"),
    (0x10ACD, 0x10ACD, "L"),
    (0x10ACE, 0x10AD2, "R"),
    (0x10AD3, 0x10AD6, "D"),
    (0x10AD7, 0x10AD7, "L"),
    (0x10AD8, 0x10ADC, "D"),
    (0x10ADD, 0x10ADD, "R"),
    (0x10ADE, 0x10AE0, "D"),
    (0x10AE1, 0x10AE1, "R"),
    (0x10AE4, 0x10AE4, "R"),
    (0x10AEB, 0x10AEE, "D"),
    (0x10AEF, 0x10AEF, "R"),
    (0x10B80, 0x10B80, "D"),
    (0x10B81, 0x10B81, "R"),
    (0x10B82, 0x10B82, "D"),
    (0x10B83, 0x10B85, "R"),
    (0x10B86, 0x10B88, "D"),
    (0x10B89, 0x10B89, "R"),
    (0x10B8A, 0x10B8B, "D"),
    (0x10B8C, 0x10B8C, "R"),
    (0x10B8D, 0x10B8D, "D"),
    (0x10B8E, 0x10B8F, "R"),
    (0x10B90, 0x10B90, "D"),
    (0x10B91, 0x10B91, "R"),
    (0x10BA9, 0x10BAC, "R"),
    (0x10BAD, 0x10BAE, "D"),
    (0x10D00, 0x10D00, "L"),
    (0x10D01, 0x10D21, "D"),
    (0x10D22, 0x10D22, "R"),
    (0x10D23, 0x10D23, "D"),
    (0x10F30, 0x10F32, "D"),
    (0x10F33, 0x10F33, "R"),
    (0x10F34, 0x10F44, "D"),
    (0x10F51, 0x10F53, "D"),
    (0x10F54, 0x10F54, "R"),
    (0x10F70, 0x10F73, "D"),
    (0x10F74, 0x10F75, "R"),
    (0x10F76, 0x10F81, "D"),
    (0x10FB0, 0x10FB0, "D"),
    (0x10FB2, 0x10FB3, "D"),
    (0x10FB4, 0x10FB6, "R"),
    (0x10FB8, 0x10FB8, "D"),
    (0x10FB9, 0x10FBA, "R"),
    (0x10FBB, 0x10FBC, "D"),
    (0x10FBD, 0x10FBD, "R"),
    (0x10FBE, 0x10FBF, "D"),
    (0x10FC1, 0x10FC1, "D"),
    (0x10FC2, 0x10FC3, "R"),
    (0x10FC4, 0x10FC4, "D"),
    (0x10FC9, 0x10FC9, "R"),
    (0x10FCA, 0x10FCA, "D"),
    (0x10FCB, 0x10FCB, "L"),
    (0x1E900, 0x1E943, "D"),
)
