"""A large JSON object read member by member: a log of gigabytes needs the memory of its largest sample.

The text is read in pieces. A value that runs past the end of what was read is tried again with twice as much,
so the work stays within a small factor of the length. Python's own decoder does the parsing; it also takes
the constants ``NaN`` and ``Infinity``, which Inspect writes for samples without a score.
"""

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any, BinaryIO

from data.errors import InputError

VALUE_CHARACTERS = 256 << 20
_PIECE_BYTES = 1 << 20
_LONGEST_TOKEN = 12  # an escape such as \\ud83d\\ude00, the longest thing that an end can split
_BLANK = re.compile(r"[ \t\r\n]*")
_NUMBER_TO_END = re.compile(r"[0-9][0-9.eE+-]*\Z")
_DECODER = json.JSONDecoder()


class CutOffError(Exception):
    """The text ends in the middle of a value."""


def parse(text: str | bytes, name: str, where: str) -> Any:
    """One JSON document as Python values.

    Raises:
        InputError: not JSON, nested too deep, or a number too long.
    """
    try:
        return json.loads(text)
    except RecursionError as error:
        raise _too_deep(name, where) from error
    except ValueError as error:
        raise InputError(
            f"{name}: {where} is not valid JSON; the log is cut off or damaged, copy or export it again"
        ) from error


def members(stream: BinaryIO, name: str, streamed: str) -> Iterator[tuple[str, Any]]:
    """The members of the object in ``stream``; the elements of the array ``streamed`` one by one.

    Yields:
        ``(key, value)`` in file order; for ``streamed`` one pair for each element, and ``(streamed, None)``
        once where it is present but is null or no array.

    Raises:
        InputError: not an object, not JSON, cut off, nested too deep, or one value is too large.
    """
    text = _Text(stream, name)
    try:
        yield from _object(text, streamed)
    except CutOffError as error:
        raise InputError(f"{name}: the log is cut off or damaged; copy or export it again") from error


def leading_members(head: bytes, streamed: str) -> dict[str, Any]:
    """What can be read of the object's members from the beginning of a file; never raises on bad text.

    The elements of ``streamed`` are not kept: its value is True when the key was seen.
    """
    found: dict[str, Any] = {}
    text = _Text(_Bytes(head), "")
    try:
        for key, value in _object(text, streamed):
            if key == streamed:
                found[key] = True
                break
            found[key] = value
    except (CutOffError, InputError):
        pass
    return found


class _Bytes:
    """Bytes as something to read from, once."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def read(self, size: int) -> bytes:
        piece, self._content = self._content[:size], self._content[size:]
        return piece


class _Text:
    """A window on decoded text: ``buffer[position:]`` is what has been read and not used."""

    def __init__(self, stream: BinaryIO | _Bytes, name: str) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")()
        self._name = name
        self._ended = False
        self.buffer = ""
        self.position = 0

    def _more(self, size: int) -> bool:
        if self._ended:
            return False
        piece = self._stream.read(size)
        self._ended = len(piece) == 0
        try:
            decoded = self._decoder.decode(piece, final=self._ended)
        except UnicodeDecodeError as error:
            raise InputError(f"{self._name}: the log is not UTF-8 text; copy or export it again") from error
        self.buffer = self.buffer[self.position :] + decoded
        self.position = 0
        return not self._ended

    def peek(self) -> str:
        """The next character that is not blank; stays there."""
        while True:
            blank = _BLANK.match(self.buffer, self.position)
            if blank is not None:
                self.position = blank.end()
            if self.position < len(self.buffer):
                return self.buffer[self.position]
            if not self._more(_PIECE_BYTES):
                raise CutOffError

    def take(self, wanted: str) -> str:
        """The next character, which must be one of ``wanted``."""
        found = self.peek()
        if found not in wanted:
            raise InputError(f"{self._name}: the log is not valid JSON; copy or export it again")
        self.position += 1
        return found

    def value(self) -> Any:
        """The next value. A number is only complete when something follows it."""
        self.peek()
        while True:
            try:
                value, end = _DECODER.raw_decode(self.buffer, self.position)
            except RecursionError as error:
                raise _too_deep(self._name, "the log") from error
            except json.JSONDecodeError as error:
                self._extend(error)
                continue
            except ValueError as error:
                message = f"{self._name}: the log holds a number that is too long; copy or export it again"
                raise InputError(message) from error
            if _NUMBER_TO_END.match(self.buffer, end - 1) and self._more(_PIECE_BYTES):
                continue
            self.position = end
            return value

    def _extend(self, error: json.JSONDecodeError) -> None:
        cut = error.msg.startswith("Unterminated") or error.pos >= len(self.buffer) - _LONGEST_TOKEN
        if not cut:
            raise InputError(f"{self._name}: the log is not valid JSON; copy or export it again") from error
        held = len(self.buffer) - self.position
        if held > VALUE_CHARACTERS:
            raise InputError(
                f"{self._name}: one value of the log is larger than {VALUE_CHARACTERS >> 20} MB; "
                "write the log as .eval, which is read sample by sample"
            ) from error
        if not self._more(max(_PIECE_BYTES, held)):
            raise CutOffError from error


def _object(text: _Text, streamed: str) -> Iterator[tuple[str, Any]]:
    text.take("{")
    if text.peek() == "}":
        return
    while True:
        if text.peek() != '"':
            text.take('"')
        key = text.value()
        text.take(":")
        if key == streamed and text.peek() == "[":
            yield from ((streamed, element) for element in _array(text))
        elif key == streamed:
            text.value()
            yield streamed, None
        else:
            yield key, text.value()
        if text.take(",}") == "}":
            return


def _array(text: _Text) -> Iterator[Any]:
    text.take("[")
    if text.peek() == "]":
        text.take("]")
        return
    while True:
        yield text.value()
        if text.take(",]") == "]":
            return


def _too_deep(name: str, where: str) -> InputError:
    return InputError(f"{name}: {where} is nested too deep to be a log; check the file")
