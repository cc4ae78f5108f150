"""Write the responses of a crawl to a WARC file with one gzip member per record.

The crawl's state includes the file's length; when a killed crawl resumes, anything beyond it is cut
off.
"""

from __future__ import annotations

import base64
import hashlib
import os
import uuid
import zlib
from datetime import UTC, datetime
from pathlib import Path


class WarcWriter:
    """Appends records to a WARC file."""

    def __init__(self, path: Path, size: int, software: str) -> None:
        self._file = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        os.ftruncate(self._file, min(size, os.fstat(self._file).st_size))
        self.size = os.lseek(self._file, 0, os.SEEK_END)
        if not self.size:
            fields = f"software: {software}\r\nformat: WARC File Format 1.1\r\n".encode()
            self._write("warcinfo", "application/warc-fields", fields)

    def write_response(self, url: str, head: bytes, body: bytes, cut: bool) -> None:
        """Write a response as it was received, but without its transfer coding."""
        more = {"WARC-Target-URI": url, "WARC-Payload-Digest": digest_of(body)}
        if cut:
            more["WARC-Truncated"] = "length"
        self._write("response", "application/http; msgtype=response", head + body, more)

    def write_revisit(
        self, url: str, head: bytes, profile: str, same: str, date: str, digest: str
    ) -> None:
        """Record that a URL has the same contents as an earlier response, without storing them
        again.
        """
        more = {
            "WARC-Target-URI": url,
            "WARC-Profile": f"http://netpreserve.org/warc/1.1/revisit/{profile}",
            "WARC-Refers-To-Target-URI": same,
            "WARC-Refers-To-Date": date,
            "WARC-Payload-Digest": digest,
        }
        self._write("revisit", "application/http; msgtype=response", head, more)

    def _write(
        self, kind: str, media_type: str, content: bytes, more: dict[str, str] | None = None
    ) -> None:
        fields = {
            "WARC-Type": kind,
            "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>",
            "WARC-Date": now(),
            **{name: value for name, value in (more or {}).items() if value},
            "Content-Type": media_type,
            "Content-Length": str(len(content)),
        }
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        record = f"WARC/1.1\r\n{head}\r\n".encode() + content + b"\r\n\r\n"
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        data = memoryview(packer.compress(record) + packer.flush())
        while data:
            written = os.write(self._file, data)
            self.size += written
            data = data[written:]

    def sync(self) -> None:
        """Flush the file to disk."""
        os.fsync(self._file)

    def close(self) -> None:
        os.close(self._file)


def now() -> str:
    """The time in WARC's format."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def digest_of(body: bytes) -> str:
    """The digest of a payload in WARC's format."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body).digest()).decode()
