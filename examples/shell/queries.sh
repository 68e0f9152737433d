#!/bin/sh
# Queries, step by step. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.calendar
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
here='--container com.example.calendar --environment development'
mine="--database private --account ada@example.com $here"

# 1. Records, and the indexes that their queries need.
cat >event.ckdb <<'END'
DEFINE SCHEMA
RECORD TYPE Event (
    name  STRING QUERYABLE,
    start TIMESTAMP SORTABLE,
    place LOCATION QUERYABLE,
    tags  LIST<STRING> QUERYABLE,
    notes STRING SEARCHABLE,
    seats INT64
);
END
kinfolk schema apply com.example.calendar event.ckdb --environment development
in_days() { date -u -d "$1 days" +%Y-%m-%dT%H:%M:%SZ; }
save() { # save RECORD NAME DAYS LATITUDE TAGS NOTES SEATS
    kinfolk record save name="$2" start:date="$(in_days "$3")" place:location="$4,8.54" tags:string[]="$5" notes="$6" \
        seats:int64="$7" --type Event --name "$1" $mine >saved.txt
}
save standup 'Meeting' 1 47.37 work 'Bring the plan' 8
save review 'Review' 2 47.38 work 'Drinks after the session' 20
save party 'Garden party' 3 48.86 home,friends 'Bring a salad' 30
save concert 'Concert' 5 46.95 friends 'Doors open at seven' 400
save retro 'Meeting' 8 47.37 work 'What to change' 8

# 2. Predicates. An argument is a text, or has its type before it.
show() { # show LABEL PREDICATE [ARGUMENT...]
    label=$1
    shift
    kinfolk record query Event "$@" --sort start --json $mine >found.json
    echo "$label:" $(sed -n 's/^      "name": "\(.*\)",$/\1/p' found.json)
}
show 'Meetings' 'start > %@ AND name = %@' ":date=$(in_days 0)" Meeting
show 'This week' 'start > %@ AND start < %@' ":date=$(in_days 0)" ":date=$(in_days 7)"
show 'By a key' '%K = %@' name Concert
show 'Near' 'distanceToLocation:fromLocation:(place, %@) < 2000' :location=47.37,8.54
show 'With friends' 'tags CONTAINS %@' friends
show 'With these words' "ALL tokenize(%@, 'Cdl') IN allTokens" 'after session'
show 'Large' "seats >= 20 AND NOT name IN {'Concert', 'Review'}"

# 3. Orders, pages, counts.
kinfolk record query Event --sort place:47.37,8.54 --sort -start --keys name --all $mine
kinfolk record query Event --sort -start --keys name --limit 2 --json $mine >page.json
cursor=$(sed -n 's/.*"cursor": "\(.*\)".*/\1/p' page.json)
kinfolk record query Event --sort -start --keys name --limit 2 --cursor "$cursor" $mine | head -n 5
kinfolk record query Event --count $mine

# 4. How a query is answered.
kinfolk record query Event 'start > %@ AND seats >= 20' ":date=$(in_days 0)" --sort start --explain $mine | head -n 6
kinfolk record query Event 'seats >= 20 AND' --count $mine 2>&1 || echo "Exit status: $?"
