#!/bin/sh
# Files of records, step by step. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.recordings
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
ada='--container com.example.recordings --account ada@example.com'
mine="--database private $ada"
kinfolk schema add-field com.example.recordings sound asset --record-type Recording
kinfolk schema add-field com.example.recordings takes assetList --record-type Recording

# 1. Store a file. The record is made, because a type is given.
seq -f 'Wave %.0f' 100000 >sea.txt
kinfolk asset save sea sound sea.txt --type Recording $mine
kinfolk asset show sea sound $mine
sha256sum sea.txt

# 2. Fetch it, or a part of it.
kinfolk asset fetch sea sound copy.txt $mine
cmp sea.txt copy.txt
kinfolk asset fetch sea sound --offset 7 --length 7 $mine

# 3. A list of files, from a pipe and into one.
for take in 1 2 3; do
    seq -f "Take $take, line %.0f" 1000 | kinfolk asset save sea takes - --append $mine >saved.txt
done
kinfolk asset show sea takes $mine
kinfolk asset fetch sea takes --index 1 $mine | tail -n 1

# 4. Quotas. A save that would exceed one stores nothing.
kinfolk container quota com.example.recordings --user 2MB --asset 500MB
kinfolk asset save sea sound sea.txt $mine 2>&1 || echo "Exit status: $?"
kinfolk session storage $ada

# 5. Everything about a person, with the files.
kinfolk account export ada@example.com --archive ada.tar >exported.txt
tar -tf ada.tar

# 6. A file is deleted with the last record that has it.
kinfolk record delete sea $mine
kinfolk asset fetch sea sound $mine 2>&1 || echo "Exit status: $?"
