"""Files of records, step by step.

    python assets.py

The program makes its store, "assets.db", and some files in the folder where it runs, and stops if the container exists
already. In a clone, run `make stage` first, and set PYTHONPATH=bindings/python/src.
"""

from __future__ import annotations

import kinfolk
from kinfolk import Asset, Database, Record

RECORDING_TYPE = """\
DEFINE SCHEMA
RECORD TYPE Recording (
    title STRING QUERYABLE,
    sound ASSET,
    takes LIST<ASSET>
);
"""


def is_there(asset: Asset) -> str:
    try:
        asset.read(0, 1)
    except kinfolk.AssetNotAvailable:
        return "false"
    return "true"


def use_files(db: Database) -> None:
    # 1. A file is uploaded a piece at a time. Then a record names it.
    with db.begin_upload() as upload:
        for wave in range(1, 100_001):
            upload.write(f"Wave {wave}\n".encode())
        sea = upload.finish()
    recording = Record("Recording", "sea", sound=sea)
    db.save(recording)
    print(f"Uploaded {sea.size} bytes, SHA-256 {sea.sha256[:8].hex()}…")

    # 2. The file is read from any offset, or written to the disk.
    sound = db.fetch("sea")["sound"]
    print("It begins with", sound.read(0, 6).decode())
    with sound.open() as stream:
        stream.seek(-12, 2)
        print("It ends with", stream.readline().decode().rstrip())
    sound.save("sea.txt")

    # A file of the disk is uploaded in one call, which reports its progress.
    shares: list[int] = []
    copy = db.upload("sea.txt", progress=lambda done, total: shares.append(done * 100 // total))
    is_same = str(copy.sha256 == sea.sha256).lower()
    print(f"Uploaded it again to {shares[-1]} %, with the same SHA-256: {is_same}")

    # 3. A file that a field gets takes the place of the one that it had, and the old one is deleted.
    recording["sound"] = copy
    db.save(recording)
    print("The first file is there:", is_there(sea))

    # Two records of one zone may have the same file. It is deleted with the last of them.
    other = Record("Recording", "other", takes=[copy, db.upload(b"A short one")])
    db.save(other)
    db.delete(recording)
    print("The second file is there:", is_there(copy))
    db.delete(other)
    print("The second file is there:", is_there(copy))


def grace_reads(grace: Database) -> str:
    try:
        return is_there(grace.fetch("published")["sound"])
    except kinfolk.UnknownItem:  # no record has the file, from which she could take it
        return "false"


def share_files(ada: Database, grace: Database) -> None:
    # 4. In the public database, others read a file if they may read one of its records. Only its uploader puts it into
    # a record.
    shared = ada.upload(b"For everybody")
    print("Grace reads it:", grace_reads(grace))
    ada.save(Record("Recording", "published", sound=shared))
    print("Grace reads it:", grace_reads(grace))
    try:
        grace.save(Record("Recording", "taken", sound=grace.fetch("published")["sound"]))
    except kinfolk.AssetNotAvailable:
        print("Grace uses it: assetNotAvailable")


def main() -> None:
    with kinfolk.open("assets.db") as service:
        container = service.create_container("com.example.recordings")
        container.apply_schema(RECORDING_TYPE)
        ada = container.open_session(service.create_account("Ada"))
        grace = container.open_session(service.create_account("Grace"))
        use_files(ada.private_database)
        share_files(ada.public_database, grace.public_database)

        # 5. A quota is compared with what a call adds, before anything is written.
        container.set_quota(kinfolk.Quota.USER, 1_000_000)
        try:
            ada.private_database.upload("sea.txt")
        except kinfolk.QuotaExceeded:
            print("Refused: quotaExceeded")
        use = ada.storage_use()
        print(f"Stored: {use.private_bytes} of {use.private_quota} bytes")


if __name__ == "__main__":
    main()
