"""A document that two devices of one person edit.

    python document_editor.py

The program makes its store, "document-editor.db", in the folder where it runs, and starts itself a second time as the
other device.
"""

from __future__ import annotations

import subprocess
import sys

import kinfolk


def open_documents(service: kinfolk.Service, device: str) -> kinfolk.Documents:
    account, _ = service.find_or_create_account("ada@example.com", "Ada", "Example")
    return service.open_container("com.example.notes").open_session(account, device=device).documents


def text(document: kinfolk.Document, version: kinfolk.DocumentVersion | None = None) -> str:
    return document.read(version).decode()


def say(line: str) -> None:
    """Two processes print, so each line is written at once."""
    print(line, flush=True)


def next_change(documents: kinfolk.Documents, token: bytes) -> kinfolk.Document:
    """Waits until another device has changed a document."""
    with documents.watch(token) as changes:
        for change in changes:
            if change.document is not None:
                return change.document
    raise RuntimeError("the watch has ended")


def be_tablet() -> None:
    with kinfolk.open("document-editor.db") as service:
        documents = open_documents(service, "tablet")
        # A search finds documents by their names and folders.
        (found,) = documents.search(name="test.*")
        say(f"tablet finds: {found.path}")
        say(f"tablet opens: {text(found)}")
        token = documents.changes().token
        # To edit a document, read its contents and save other ones.
        found.save(found.read() + b", bread")
        say(f"tablet sees: {text(next_change(documents, token))}")


def be_laptop() -> None:
    with kinfolk.open("document-editor.db") as service:
        service.create_container("com.example.notes")
        documents = open_documents(service, "laptop")
        old = documents.create("lists/test.txt", b"Milk")
        token = documents.changes().token
        tablet = subprocess.Popen([sys.executable, __file__, "tablet"])
        try:
            shopping = next_change(documents, token)
            say(f"laptop sees: {text(shopping)}")
            shopping.save(shopping.read() + b", tea")
            if tablet.wait(timeout=60):
                raise RuntimeError("the other device has failed")
        finally:
            tablet.kill()

        # A save that was made from an old version replaces nothing: it becomes a conflict.
        old.save(b"Milk, eggs")
        if old.conflicts:
            say(f"current: {text(old)}")
            say(f"conflict: {text(old, old.conflicts[-1])}")
            old.resolve(contents=b"Milk, bread, tea, eggs")
        say(f"resolved: {text(old)}")

        # Older versions can be read and restored.
        say(f"versions: {1 + len(old.older_versions)}, the oldest one: {text(old, old.older_versions[-1])}")


if __name__ == "__main__":
    be_tablet() if len(sys.argv) > 1 else be_laptop()
