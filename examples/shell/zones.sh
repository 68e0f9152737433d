#!/bin/sh
# Zones and their changes, step by step. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.notes
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
ada='--container com.example.notes --account ada@example.com'
kinfolk schema add-field com.example.notes title string --record-type Note
notes="--database private --zone Notes $ada"

# 1. A zone with a few records.
kinfolk zone save Notes $ada
kinfolk zone list $ada
for name in list trip idea; do
    echo '{"operation": "create", "type": "Note", "name": "'$name'"}'
done | kinfolk record batch - --atomic $notes

# 2. Follow the zone. The first time everything is shown, and later what changed since.
kinfolk zone changes Notes --token-file notes.token $ada
kinfolk record delete idea $notes
kinfolk record save --type Note --name gift $notes >gift.txt
kinfolk zone changes Notes --token-file notes.token $ada

# A script that must not lose a page takes the token as an argument, and keeps the new one when it has used the page.
follow() {
    while :; do
        kinfolk zone changes Notes --token "$(cat used.token)" --limit 2 --json $ada >page.json || return
        grep -c '"change_tag"' page.json || true # use the page here
        sed -n 's/^  "token": "\(.*\)"$/\1/p' page.json >used.token
        grep -q '"more_coming": true' page.json || return 0
    done
}
: >used.token
follow

# 3. Which zones changed?
kinfolk zone changes --token-file database.token $ada

# 4. A deleted zone. Its records are gone at once, and its rows when the command ends.
kinfolk zone delete Notes --yes $ada
kinfolk zone changes --token-file database.token $ada
follow || echo "Exit status: $?"
