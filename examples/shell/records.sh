#!/bin/sh
# Databases of records, step by step. The commands make their store, "kinfolk.db", in the folder where they run.
set -eu
kinfolk init
kinfolk container create com.example.notes
kinfolk account create --given-name Ada --family-name Example --email ada@example.com --verified
kinfolk account create --given-name Grace --family-name Sample --email grace@example.org --verified
ada='--container com.example.notes --account ada@example.com'
grace='--container com.example.notes --account grace@example.org'

# 1. A record of a new type, in development. The schema grows.
author=$(kinfolk session user-record-id $ada --environment development)
kinfolk record save --type Note --name everything --database public --environment development $ada \
    title=Groceries count:int64=2 total:double=4.7 isDone:boolean=false icon:bytes=89504e47 \
    due:date=2026-01-01T00:00:00Z shop:location=51.5,-0.12 author:reference="$author" \
    'tags:string[]=home,weekly' 'prices:int64[]=320,150' 'weights:double[]=0.5,1.25' \
    'bought:boolean[]=true,false' 'icons:bytes[]=8950,4e47' \
    'days:date[]=2026-01-01T00:00:00Z,2026-01-02T00:00:00Z' \
    'shops:location[]=51.5,-0.12;48.86,2.35' "readers:reference[]=$author,$author"

# The schema as a text: change it, see the difference, apply it, and deploy it to production.
kinfolk schema export com.example.notes --environment development >exported.ckdb
sed 's/LIST<STRING>/LIST<STRING> QUERYABLE/' exported.ckdb >wanted.ckdb
kinfolk schema diff com.example.notes wanted.ckdb --environment development
kinfolk schema apply com.example.notes wanted.ckdb --environment development
kinfolk schema deploy com.example.notes --yes

# From now on saves add nothing to the schema of production.
kinfolk record save mood=good --type Note --database public $ada 2>&1 || echo "Exit status: $?"
kinfolk record save mood=good --type Note --database public --environment development $ada

# 2. A record with a name of our own, and one with a random name.
kinfolk record save title=Groceries --type Note --name shopping --database public $ada
kinfolk record save title=Untitled --type Note --database public $ada

# Somebody else saves it. Then the change tag from before is refused: fetch the record, and try again.
tag() { kinfolk record fetch "$1" --database public $ada --json | sed -n 's/.*"change_tag": "\(.*\)",/\1/p'; }
stale=$(tag shopping)
kinfolk record save title='Groceries for Sunday' --name shopping --database public $ada >sunday.txt
kinfolk record save title='Groceries for Monday' --name shopping --change-tag "$stale" --database public $ada 2>&1 ||
    kinfolk record save title='Groceries for Monday' --name shopping --change-tag "$(tag shopping)" --database public $ada

# These two policies save without regard to the change tag.
kinfolk record save title='For Tuesday' --name shopping --policy changed-keys --database public $ada >tuesday.txt
kinfolk record save title='For Wednesday' --name shopping --policy all-keys --database public $ada >wednesday.txt

# A deletion can ask for a change tag, too.
kinfolk record delete shopping --change-tag "$stale" --database public $ada 2>&1 ||
    kinfolk record delete shopping --database public $ada

# The seven operations of a batch, on a record that was changed since it was fetched.
kinfolk record save title=First --type Note --name contested --database public $ada >first.txt
stale=$(tag contested)
kinfolk record save title=Second --name contested --database public $ada >second.txt
for operation in create update forceUpdate replace forceReplace delete forceDelete; do
    echo '{"operation": "'$operation'", "type": "Note", "name": "contested", "change_tag": "'"$stale"'"}' |
        kinfolk record batch - --database public $ada 2>errors.txt | sed -n 2p
done

# 3. 400 records in one batch. One of them exists already.
seq 0 399 | sed 's/.*/{"operation": "create", "type": "Note", "name": "note &", "fields": {"count": &}}/' >notes.jsonl
kinfolk record save --type Note --name 'note 7' --database public $ada >seven.txt
kinfolk record batch notes.jsonl --atomic --database public $ada 2>&1 | tail -n 2 # everything or nothing
kinfolk record batch notes.jsonl --database public $ada 2>&1 | tail -n 2
kinfolk record fetch 'note 1' 'note 398' --database public $ada
seq 0 399 | sed 's/.*/{"operation": "forceDelete", "name": "note &"}/' >deletions.jsonl
kinfolk record batch deletions.jsonl --atomic --database public $ada | tail -n 1

# 4. Two people leave. Of Grace, the operator keeps what she published.
kinfolk record save title='From Ada' --type Note --name from-ada --database public $ada >from-ada.txt
kinfolk record save title='Nobody else reads this' --type Note --name diary --database private $ada >diary.txt
kinfolk record save title='From Grace' --type Note --name from-grace --database public $grace >from-grace.txt
kinfolk account export ada@example.com >ada.json # give it to the person
grep '"name": "diary"' ada.json
kinfolk account create --given-name Alan --family-name Model --email alan@example.net --verified
kinfolk account erase ada@example.com --yes
kinfolk account erase grace@example.org --keep-public-records --yes
alan='--container com.example.notes --account alan@example.net'
kinfolk record fetch from-ada from-grace --database public $alan 2>&1 || echo "Exit status: $?"
if grep -q -e 'From Ada' -e from-ada -e diary kinfolk.db*; then echo 'A trace of Ada is in the file.'; fi
