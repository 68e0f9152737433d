#!/bin/sh
# The curl commands of the manual, as it prints them, with another address and real tokens.
#
# The caller sets path, version, container, environment, api_token, web_auth_token, key_id, key, email and asset_file. Each answer is a file in the
# current directory, with the status in a file next to it.

set -eu

show() { # show NAME curl-arguments...: the answer to NAME, and its status to NAME.status
    name=$1
    shift
    curl --silent --show-error --max-time 60 --output "$name" --write-out '%{http_code}' "$@" > "$name.status"
}

member() { # member FILE NAME: a text of an answer
    sed -n 's/.*"'"$2"'" *: *"\([^"]*\)".*/\1/p' "$1"
}

# Composing Web Service Requests: accessing the container with an API token, and then with a web auth token
show no-user "$path/database/1/$container/$environment/public/users/current?ckAPIToken=$api_token"
encoded=$(printf %s "$web_auth_token" | sed 's/+/%2B/g; s,/,%2F,g; s/=/%3D/g')
tokens="ckAPIToken=$api_token&ckWebAuthToken=$encoded"
show user "$path/database/1/$container/$environment/public/users/current?$tokens"

# Composing Web Service Requests: a server-to-server request
sign() { # sign BODY SUBPATH: sets date and signature
    date=$(date -u +%Y-%m-%dT%H:%M:%SZ)
    hash=$(printf %s "$1" | openssl dgst -sha256 -binary | base64 | tr -d '\n')
    signature=$(printf %s "$date:$hash:$2" | openssl dgst -sha256 -sign "$key" | base64 | tr -d '\n')
}
body='{"users":[{"emailAddress":"'$email'"}]}'
sign "$body" "/database/1/$container/development/public/users/lookup/email"
show signed -X POST -H "content-type: text/plain" -H "X-Apple-CloudKit-Request-KeyID: $key_id" -H "X-Apple-CloudKit-Request-ISO8601Date: $date" \
    -H "X-Apple-CloudKit-Request-SignatureV1: $signature" -d "$body" "$path/database/1/$container/development/public/users/lookup/email"
body='{"query":{"recordType":"Artist"}}'
sign "$body" "/database/1/$container/development/public/records/query"
show signed-query -X POST -H "content-type: text/plain" -H "X-Apple-CloudKit-Request-KeyID: $key_id" \
    -H "X-Apple-CloudKit-Request-ISO8601Date: $date" -H "X-Apple-CloudKit-Request-SignatureV1: $signature" -d "$body" \
    "$path/database/1/$container/development/public/records/query"

# Uploading Assets
show upload -X POST "$path/database/$version/$container/$environment/public/assets/upload?$tokens" -H 'content-type: application/json' -d '{
    "tokens":[{
        "recordType":"Artwork",
        "fieldName":"image"
    }]
}'
show uploaded -X POST "$(member upload url)" -d@"$asset_file"
show record -X POST "$path/database/$version/$container/$environment/public/records/modify?$tokens" -H 'content-type: application/json' -d '{
    "operations" :[{
        "operationType" : "create",
        "record" :{
            "recordType" : "Artist",
            "fields" :{
                "title" : {"value" : "MacKerricher State Park"},
                "artist" : {"value" : "Mei Chen"},
                "image" : {
                    "value" : {
                        "wrappingKey" : "'"$(member uploaded wrappingKey)"'",
                        "fileChecksum" : "'"$(member uploaded fileChecksum)"'",
                        "receipt" : "'"$(member uploaded receipt)"'",
                        "referenceChecksum" : "'"$(member uploaded referenceChecksum)"'",
                        "size": '"$(sed -n 's/.*"size" *: *\([0-9]*\).*/\1/p' uploaded)"'
                    }
                }
            },
            "recordName": "4c016e24-c397-4c9d-81d6-dee3e3a48bb0",
            "desiredKeys": []
        }
    }]
}'
