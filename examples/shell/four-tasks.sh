#!/bin/sh
# Create: a store with its key, an application's container, two people.
set -eu
kinfolk init
kinfolk container create com.example.notes
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
kinfolk account create --given-name Grace --family-name Sample --email grace@example.org --verified
kinfolk session user-record-id --container com.example.notes --account ada@example.com

# Opt in: Grace was shown this text, and said yes.
kinfolk session discoverable on --container com.example.notes --account grace@example.org \
    --consent-text 'May people who have your e-mail address find you?' --consent-version 1

# Discover: which of Ada's contacts are here? With --sync-state, asking again is free.
cat >contacts.txt <<'END'
Grace from chess <Grace@Example.ORG>
Somebody else <somebody@example.com>
END
kinfolk discover contacts contacts.txt --container com.example.notes --account ada@example.com --sync-state ada.sync

# Erase: Grace leaves, and nothing of her stays.
kinfolk account erase grace@example.org --yes
kinfolk discover contacts contacts.txt --container com.example.notes --account ada@example.com --sync-state ada.sync
