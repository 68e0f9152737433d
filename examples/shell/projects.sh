#!/bin/sh
# References, grants and roles, step by step. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.projects
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
kinfolk account create --given-name Grace --family-name Sample --email grace@example.org --verified
here='--container com.example.projects --environment development'
mine="--database private --account ada@example.com $here"
graces="--database public --account grace@example.org $here"

# 1. A tree: each record refers to the one above it, and is deleted with it.
save() { kinfolk record save --name "$@" $mine >saved.txt; }
save house --type Project
save roof --type Task partOf:reference=deleteSelf:house --parent house
save paint --type Task partOf:reference=deleteSelf:house --parent house
save brushes --type Task partOf:reference=deleteSelf:paint
save invoice --type Invoice task:reference=validate:roof # needs its task
save reminder --type Reminder about:reference=paint      # may outlive it
kinfolk record references house $mine
kinfolk record references roof $mine

# 2. The house cannot be deleted while the invoice needs the roof.
kinfolk record delete house $mine 2>&1 || echo "Exit status: $?"
kinfolk record delete invoice $mine
kinfolk record delete house $mine
kinfolk record fetch paint $mine 2>&1 || echo "Exit status: $?" # the reminder still names it
save garden --type Task partOf:reference=deleteSelf:house 2>&1 || echo "Exit status: $?"

# 3. Grants: everybody reads news, editors write it.
cat >news.ckdb <<'END'
DEFINE SCHEMA
CREATE ROLE Editor;
RECORD TYPE News (
    title STRING,
    GRANT READ TO "_world",
    GRANT READ, CREATE, WRITE TO Editor
);
END
kinfolk schema apply com.example.projects news.ckdb --environment development
publish() { kinfolk record save title="$1" --type News --name today $graces 2>&1 || echo "Exit status: $?"; }
publish 'Not yet'
kinfolk role grant com.example.projects Editor grace@example.org --environment development
kinfolk role list com.example.projects grace@example.org --environment development
publish 'The roof is done'
kinfolk role revoke com.example.projects Editor grace@example.org --environment development
publish 'Too late'
kinfolk record fetch today --database public --account ada@example.com $here
