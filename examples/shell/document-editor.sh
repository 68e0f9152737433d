#!/bin/sh
# A document that two devices of one person edit. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.notes
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
ada='--container com.example.notes --account ada@example.com'

# 1. One device creates a document. Another one finds it by its name, and reads it.
printf 'Milk' | kinfolk document create lists/test.txt --device laptop $ada >created.txt
kinfolk document list --name 'test.*' $ada | cut -c 1-21
kinfolk document get lists/test.txt tablet.txt $ada
version() { kinfolk document show lists/test.txt "$@" | sed -n 's/^current  *\([0-9a-f]*\).*/\1/p'; }
base=$(version $ada)

# 2. It edits the file, and saves it as a version that was made from the one that it has read.
printf ', bread' >>tablet.txt
kinfolk document save lists/test.txt tablet.txt --base "$base" --device tablet $ada >saved.txt
kinfolk document get lists/test.txt $ada
echo

# 3. The first device has edited the old version. Its save replaces nothing: it becomes a conflict.
printf 'Milk, eggs' >laptop.txt
kinfolk document save lists/test.txt laptop.txt --base "$base" --device laptop $ada >saved.txt || echo "Exit status: $?"
kinfolk document list --conflicts $ada | cut -c 1-21
printf 'Milk, bread, eggs' | kinfolk document resolve lists/test.txt - --device laptop $ada >resolved.txt
kinfolk document get lists/test.txt $ada
echo

# 4. Older versions can be read and restored.
oldest=$(kinfolk document show lists/test.txt $ada | sed -n '$s/^older  *\([0-9a-f]*\).*/\1/p')
kinfolk document get lists/test.txt --version "$oldest" $ada
echo
kinfolk document restore lists/test.txt "$oldest" --device laptop $ada >restored.txt
kinfolk document get lists/test.txt $ada
echo

# 5. Another process shows what others change from now on. So this one saves until a change was shown.
kinfolk document watch --device tablet --count 1 $ada >seen.txt &
watch=$!
while kill -0 $watch 2>kill.txt; do
    kinfolk document save lists/test.txt laptop.txt --device laptop $ada >saved.txt
done
wait $watch
cat seen.txt

# 6. All documents as files in folders of the disk, and back.
kinfolk document export copies $ada
cat copies/lists/test.txt
echo
kinfolk document import copies --into older $ada
