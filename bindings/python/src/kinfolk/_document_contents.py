"""What a new version of a document is made of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Union

from . import _arguments as arguments
from ._arguments import Bytes, Readable
from ._document_upload import DocumentUpload
from ._file_writer import add
from ._handle import Handle
from ._progress import Progress

File = Union[str, "os.PathLike[str]", "os.PathLike[bytes]", Readable]


class Contents:
    """The contents of a new version: bytes, a file or an upload, of which a caller gives one."""

    def __init__(
        self,
        contents: Bytes | None,
        file: File | None,
        upload: DocumentUpload | None,
        progress: Progress | None,
        *,
        otherwise: Bytes | None = None,
        others: int = 0,
    ) -> None:
        """`otherwise` is taken if the caller gives none. `others` counts what was given in their place."""
        arguments.function(progress, "progress")
        given = others + sum(each is not None for each in (contents, file, upload))
        if given > 1 or (given == 0 and otherwise is None):
            raise TypeError("give the contents, a file or an upload, and only one of them")
        if upload is not None and not isinstance(upload, DocumentUpload):
            raise arguments.wrong_type("upload", "a kinfolk.DocumentUpload", upload)
        if file is not None and not isinstance(file, (str, os.PathLike)) and not hasattr(file, "read"):
            raise arguments.wrong_type("file", "a path or a binary file object", file)
        if contents is None and file is None and upload is None:
            contents = otherwise
        self._octets = None if contents is None else arguments.octets(contents, "contents")
        self._file: Any = file
        self._upload = upload
        self._progress = progress

    @contextmanager
    def passed(self, session: Handle) -> Iterator[tuple[bool, tuple[Any, ...]]]:
        """Whether C gets an upload, and otherwise bytes; and the arguments for them, valid inside the block."""
        if self._octets is not None:
            yield False, (self._octets, len(self._octets))
            return
        with ExitStack() as ends:
            upload = self._upload
            if upload is None:
                upload = ends.enter_context(DocumentUpload.begin(session))
                add(upload, self._file, self._progress)
            with upload._handle as asset:
                yield True, (asset,)
