#!/bin/sh
# Writes the secrets of compose.yaml into the folder secrets beside it, and keeps those that exist. For a database that
# has a password already: POSTGRES_PASSWORD=… sh deploy/secrets.sh
set -eu

folder=$(dirname "$0")/secrets
umask 077
mkdir -p "$folder"
chmod 700 "$folder"

# Letters and digits only, because the passwords become part of URLs.
password() {
    head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'
}

# The containers' users read the files, so they are readable; the folder keeps everyone else on this machine out.
write() {
    printf '%s' "$2" > "$folder/$1"
    chmod 644 "$folder/$1"
}

if [ ! -e "$folder/database-url" ]; then
    postgres=${POSTGRES_PASSWORD:-$(password)}
    write postgres-superuser "$(password)"
    write postgres-password "$postgres"
    write database-url "postgres://portico:$postgres@postgres/portico"
fi
if [ ! -e "$folder/redis-url" ]; then
    valkey=$(password)
    write valkey.conf "requirepass $valkey"
    write redis-url "redis://:$valkey@valkey"
fi
[ -e "$folder/smtp-url" ] || write smtp-url ''
[ -e "$folder/files-secret" ] || write files-secret ''
[ -e "$folder/earlier-files-secret" ] || write earlier-files-secret ''
