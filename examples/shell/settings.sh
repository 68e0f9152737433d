#!/bin/sh
# Settings that two devices of one person share. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.notes
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
ada='--container com.example.notes --account ada@example.com'

# 1. All devices use the same keys. Each device has a name, so it is not told of its own changes.
kinfolk kv synchronize --device tablet $ada
kinfolk kv set 'size on laptop' :int64=12 --device laptop $ada
kinfolk kv get 'size on laptop' $ada

# 2. A device is told of keys that others have set or removed, since the last time it was told.
kinfolk kv synchronize --device tablet $ada
kinfolk kv synchronize --device tablet $ada

# 3. Or it waits for changes, here in another process.
kinfolk kv watch --device tablet --count 1 $ada >tablet.txt &
kinfolk kv set theme dark --device laptop $ada
wait $!
cat tablet.txt

# 4. If two devices set one key, both then read the later value.
kinfolk kv set theme light --device tablet $ada
kinfolk kv set fonts '{"title": "Serif", "sizes": [12, 14.5]}' --json-value --device tablet $ada
kinfolk kv synchronize --device laptop $ada
kinfolk kv list $ada

# 5. A key that has no value, and one for which there is no room.
kinfolk kv remove fonts --device tablet $ada
kinfolk kv get fonts $ada 2>&1 || echo "Exit status: $?"
kinfolk container quota com.example.notes --key-value-store 100 | tail -n 1
kinfolk kv set note 'A text that is too long for the quota of one hundred bytes' $ada 2>&1 || echo "Exit status: $?"
