"""Which encoding a text file has, found from its bytes; everything is UTF-8 afterwards."""

import codecs
from collections.abc import Iterable, Iterator

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_TEXT_CONTROLS = frozenset(b"\t\n\r\f\v\x1a\x1b\x1e\x1f")

TITLES = {
    "utf-8": "UTF-8",
    "utf-16-le": "UTF-16",
    "utf-16-be": "UTF-16",
    "utf-32-le": "UTF-32",
    "utf-32-be": "UTF-32",
    "cp1252": "Windows-1252 (Latin-1)",
}


def marked(head: bytes) -> tuple[str, int] | None:
    """The encoding a byte order mark names and the length of the mark."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    return None


def unmarked_wide(head: bytes) -> str | None:
    """UTF-16 without a mark: nearly every second byte of the beginning is zero, always on one side."""
    sample = head[:4096]
    half = len(sample) // 2
    if half < 2:
        return None
    even, odd = sample[0 : 2 * half : 2].count(0), sample[1 : 2 * half : 2].count(0)
    if odd > 0.6 * half and even < 0.1 * half:
        return "utf-16-le"
    if even > 0.6 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def looks_binary(head: bytes) -> bool:
    """Whether the bytes hold control characters that no text has (wide encodings are ruled out before)."""
    sample = head[:65536]
    if not sample:
        return False
    strange = sum(1 for byte in sample if byte < 32 and byte not in _TEXT_CONTROLS)
    return strange > max(2, len(sample) // 200) or b"\0" in sample[:512]


def mixes_utf8(lines: Iterable[bytes]) -> bool:
    """Whether a file that is not valid UTF-8 still is UTF-8 in part: some lines are, beyond plain ASCII.

    Such a file is left as it is and its damaged lines are set aside; reading all of it in a one-byte encoding
    would spoil the good ones without a word.
    """
    good = bad = 0
    for line in lines:
        if line.isascii():
            continue
        try:
            line.decode("utf-8")
            good += 1
        except UnicodeDecodeError:
            bad += 1
    return good > bad


def to_utf8(chunks: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Decode and encode again, piece by piece.

    Raises:
        UnicodeDecodeError: the bytes are not ``name``.
    """
    if name == "cp1252":
        for chunk in chunks:
            yield _one_byte(chunk)
        return
    decoder = codecs.getincrementaldecoder(name)("strict")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8")
    yield decoder.decode(b"", final=True).encode("utf-8")


def _one_byte(chunk: bytes) -> bytes:
    try:
        return chunk.decode("cp1252").encode("utf-8")
    except UnicodeDecodeError:
        # Five bytes mean nothing in Windows-1252; Latin-1 gives every byte a letter or a control code.
        return chunk.decode("latin-1").encode("utf-8")
