"""Canonical JSON and a strict codec between frozen dataclasses and JSON.

One value has one text: keys sorted, UTF-8, no white space, floats written by ``repr``, null where a number is
not finite. Two processes that hold the same record hash and print the same bytes.
"""

import dataclasses
import hashlib
import json
import math
import types
import typing
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from data.errors import InputError

T = TypeVar("T")

_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", type(None): "null"}

#: Names the class of a value whose field admits several dataclasses.
KIND = "kind"


def plain(value: Any) -> Any:
    """``value`` as JSON's own types: dict with text keys, list, str, int, float, bool, None.

    Dataclasses become objects, mappings objects with sorted keys, NaN and infinities null, numpy scalars
    plain numbers, and a half surrogate (which UTF-8 cannot write) U+FFFD.

    Raises:
        TypeError: the value has no JSON form, or two keys of a mapping have one text.
    """
    if value is None or isinstance(value, bool | int | float | str):
        return _scalar_of(value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _object(value)
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain(item) for item in value]
    if not isinstance(value, bytes | bytearray | type) and hasattr(value, "item"):
        return plain(value.item())
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _scalar_of(value: bool | float | str | None) -> bool | float | str | None:
    """The plain Python scalar, also of a subclass such as numpy's float."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return _writable(value)
    if isinstance(value, int):
        return int(value)
    return float(value) if math.isfinite(value) else None


def _writable(text: str) -> str:
    if text.isascii():
        return str(text)
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def _mapping(value: Mapping[Any, Any]) -> dict[str, Any]:
    made = {}
    for key, item in value.items():
        if not isinstance(key, str | int) or isinstance(key, bool):
            raise TypeError(f"a JSON key must be a text or a whole number, not {key!r}")
        text = _writable(str(key))
        if text in made:
            raise TypeError(f"two keys of one object are written {text!r}")
        made[text] = plain(item)
    return dict(sorted(made.items()))


def _object(value: Any) -> dict[str, Any]:
    hints = _hints(type(value))
    made: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        member = getattr(value, field.name)
        encoded = plain(member)
        if len(_classes(hints[field.name])) > 1:
            encoded = _with_kind(member, encoded)
        made[field.name] = encoded
    return made


def _with_kind(member: Any, encoded: Any) -> Any:
    if isinstance(member, tuple | list):
        return [_with_kind(item, made) for item, made in zip(member, encoded, strict=True)]
    if member is None:
        return None
    return {KIND: type(member).__name__, **encoded}


_HINTS: dict[Any, dict[str, Any]] = {}


def _hints(cls: Any) -> dict[str, Any]:
    """The resolved types of a dataclass's fields, looked up once a class."""
    if cls not in _HINTS:
        _HINTS[cls] = typing.get_type_hints(cls)
    return _HINTS[cls]


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _classes(hint: Any) -> dict[str, type]:
    """The dataclasses that ``hint``, or the items of its tuple, may be, by name."""
    if typing.get_origin(hint) is tuple:
        return _classes(typing.get_args(hint)[0])
    members = typing.get_args(hint) if _is_union(hint) else (hint,)
    return {m.__name__: m for m in members if isinstance(m, type) and dataclasses.is_dataclass(m)}


def canonical(value: Any) -> str:
    """The one text of ``value``; the input of every digest."""
    return json.dumps(
        plain(value), sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")
    )


def digest(value: Any) -> str:
    """SHA-256 over the canonical text, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode("utf-8")).hexdigest()


def pretty(value: Any) -> bytes:
    """The canonical text with two spaces of indent and a final line feed, for files that people also read."""
    text = json.dumps(plain(value), sort_keys=True, ensure_ascii=False, allow_nan=False, indent=2)
    return (text + "\n").encode("utf-8")


def parse(document: bytes, name: str) -> Any:
    """The value of a JSON document.

    Raises:
        InputError: not UTF-8, not JSON, a key given twice, or a number that is not finite; one line.
    """
    try:
        text = document.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_constant, parse_float=_finite)
    except UnicodeDecodeError as error:
        raise InputError(
            f"{name} is not UTF-8 text (byte {error.start}); give a record's JSON export"
        ) from None
    except RecursionError:
        raise InputError(f"{name} is nested too deeply to be a decision record") from None
    except ValueError as error:
        raise InputError(f"{name} is not JSON ({_first_line(error)}); give a record's JSON export") from None


def _first_line(error: ValueError) -> str:
    return str(error).splitlines()[0][:120]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key is given twice in one object")
    return made


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits[:20]} is too large a number")
    return number


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


def rebuild(hint: Any, value: Any, where: str = "record") -> Any:
    """The dataclass, tuple or scalar that ``hint`` names, from JSON's own types.

    A float field keeps a whole number as it was written, so that what is read writes the same bytes again. A
    field with a default may be absent: an earlier version did not know it.

    Raises:
        InputError: a field is missing, unknown or of another type; the message names its path.
    """
    if hint is Any:
        return value
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _rebuild_object(hint, value, where)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple:
        return _rebuild_tuple(arguments, value, where)
    if _is_union(hint):
        return _rebuild_union(hint, value, where)
    if origin in (dict, Mapping):
        return _rebuild_mapping(arguments[1], value, where)
    return _rebuild_literal(arguments, value, where) if arguments else _scalar(hint, value, where)


def _rebuild_literal(choices: tuple[Any, ...], value: Any, where: str) -> Any:
    if any(value == choice and type(value) is type(choice) for choice in choices):
        return value
    raise _damaged(where, " or ".join(map(str, choices)), value)


def _rebuild_mapping(hint: Any, value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _damaged(where, "an object", value)
    return {key: rebuild(hint, item, f"{where}.{key}") for key, item in value.items()}


def _rebuild_object(cls: type[T], value: Any, where: str) -> T:
    if not isinstance(value, dict):
        raise _damaged(where, "an object", value)
    hints = _hints(cls)
    fields = dataclasses.fields(cls)  # type: ignore[arg-type]  # rebuild checked that it is a dataclass
    names = {field.name for field in fields}
    needed = {field.name for field in fields if field.default is dataclasses.MISSING}
    for missing in sorted(needed - value.keys()):
        raise InputError(f"{where}.{missing} is missing; the document is damaged, export it again")
    for unknown in sorted(value.keys() - names):
        raise InputError(f"{where}.{unknown} is not a field of this record version; export it again")
    return cls(**{name: rebuild(hints[name], value[name], f"{where}.{name}") for name in sorted(value)})


def _rebuild_tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise _damaged(where, "a list", value)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return tuple(rebuild(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(value))
    if len(arguments) != len(value):
        raise _damaged(where, f"a list of {len(arguments)}", value)
    pairs = zip(arguments, value, strict=True)
    return tuple(rebuild(hint, item, f"{where}[{i}]") for i, (hint, item) in enumerate(pairs))


def _rebuild_union(hint: Any, value: Any, where: str) -> Any:
    members = typing.get_args(hint)
    if value is None and type(None) in members:
        return None
    others = [member for member in members if member is not type(None)]
    if len(others) == 1:
        return rebuild(others[0], value, where)
    classes = _classes(hint)
    if classes:
        kind = value.get(KIND) if isinstance(value, dict) else None
        if kind not in classes:
            raise _damaged(f"{where}.{KIND}", " or ".join(sorted(classes)), kind)
        return _rebuild_object(classes[kind], {k: v for k, v in value.items() if k != KIND}, where)
    if type(value) not in others and not (float in others and type(value) is int):
        raise _damaged(where, " or ".join(_WORDS[member] for member in others), value)
    return value


def _scalar(hint: Any, value: Any, where: str) -> Any:
    accepted: tuple[type, ...] = (int, float) if hint is float else (hint,)
    if type(value) not in accepted:
        raise _damaged(where, _WORDS[hint], value)
    return value


def _damaged(where: str, wanted: str, value: Any) -> InputError:
    shown = canonical(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "..."
    return InputError(f"{where} must be {wanted}, not {shown}; the document is damaged, export it again")
