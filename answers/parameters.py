"""Parameters of a question, declared once: flags, documents and record fields are made from them."""

import dataclasses
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from data.errors import InputError


@dataclass(frozen=True, kw_only=True)
class Parameters:
    """Base of all parameter classes; every field is made by :func:`parameter`."""


P = TypeVar("P", bound="Parameters")


@dataclass(frozen=True)
class Specification:
    """One declared parameter. ``low`` and ``high`` bound a number; ``open_bounds`` excludes them."""

    name: str
    kind: type
    many: bool
    optional: bool
    required: bool
    default: Any
    help: str
    unit: str
    low: float | None
    high: float | None
    open_bounds: bool
    choices: tuple[str, ...]

    @property
    def flag(self) -> str:
        """The command line's flag, such as ``--cost-per-task``."""
        return "--" + self.name.replace("_", "-")


def parameter(
    *,
    help: str,  # noqa: A002 - the field's own word, as in argparse and Streamlit
    default: Any = dataclasses.MISSING,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    open_bounds: bool = False,
) -> Any:
    """Declare a field of a parameter class. Without ``default`` it must be given; a Literal lists choices."""
    return dataclasses.field(
        default=default,
        metadata={
            "help": help,
            "unit": unit,
            "low": low,
            "high": high,
            "open_bounds": open_bounds,
        },
    )


def specifications(cls: type[Parameters]) -> tuple[Specification, ...]:
    """The declared parameters of ``cls`` in order."""
    hints = typing.get_type_hints(cls)
    return tuple(_specification(field, hints[field.name]) for field in dataclasses.fields(cls))


def _specification(field: dataclasses.Field[Any], hint: Any) -> Specification:
    arguments = typing.get_args(hint)
    many = typing.get_origin(hint) is tuple
    optional = isinstance(hint, types.UnionType) and type(None) in arguments
    kind = arguments[0] if many or optional else hint
    choices = typing.get_args(kind) if typing.get_origin(kind) is typing.Literal else ()
    required = field.default is dataclasses.MISSING
    return Specification(
        name=field.name,
        kind=str if choices else kind,
        many=many,
        optional=optional,
        required=required,
        default=None if required else field.default,
        choices=choices,
        **field.metadata,
    )


def build(cls: type[P], values: Mapping[str, Any]) -> P:
    """Make ``cls`` from texts or values; None and absent take the default.

    Raises:
        InputError: a name, type, choice or bound is wrong; the message names the flag.
    """
    known = {spec.name: spec for spec in specifications(cls)}
    for name in values:
        if name not in known:
            raise InputError(f"unknown parameter {name!r}; known: {', '.join(sorted(known))}")
    given = {}
    for name, spec in known.items():
        value = values.get(name)
        if value is None or (spec.many and not value):
            if spec.required:
                raise InputError(f"{spec.flag} is required: {spec.help}")
            continue
        given[name] = tuple(_convert(spec, item) for item in value) if spec.many else _convert(spec, value)
    return cls(**given)


def _convert(spec: Specification, value: Any) -> Any:
    if spec.kind is bool:
        return _to_bool(spec, value)
    if spec.kind in (int, float):
        value = _to_number(spec, value)
        _check_bounds(spec, value)
    else:
        value = str(value)
    if spec.choices and value not in spec.choices:
        raise InputError(f"{spec.flag} cannot be {value!r}; choose one of {', '.join(spec.choices)}")
    return value


def _to_bool(spec: Specification, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    if str(value).lower() in ("true", "false"):
        return str(value).lower() == "true"
    raise InputError(f"{spec.flag} must be true or false, not {value!r}")


def _to_number(spec: Specification, value: Any) -> Any:
    try:
        number = spec.kind(value)
    except (TypeError, ValueError):
        wanted = "a whole number" if spec.kind is int else "a number"
        raise InputError(f"{spec.flag} must be {wanted}, not {str(value)[:60]!r}") from None
    if not math.isfinite(number):
        raise InputError(f"{spec.flag} must be finite, not {value!r}")
    return number


def _check_bounds(spec: Specification, value: float) -> None:
    outside = (
        (spec.low is not None and (value < spec.low or (spec.open_bounds and value == spec.low))),
        (spec.high is not None and (value > spec.high or (spec.open_bounds and value == spec.high))),
    )
    if any(outside):
        words = "strictly between" if spec.open_bounds else "between"
        low = "-infinity" if spec.low is None else f"{spec.low:g}"
        high = "infinity" if spec.high is None else f"{spec.high:g}"
        raise InputError(f"{spec.flag} must be {words} {low} and {high}, not {value:g}")


def as_dict(parameters: Parameters) -> dict[str, Any]:
    """Names and values, tuples as lists, for records and JSON."""
    return {
        field.name: list(value) if isinstance(value := getattr(parameters, field.name), tuple) else value
        for field in dataclasses.fields(parameters)
    }
