#!/bin/sh
# Makes Portico's user, who owns one database and has no other rights. The image of PostgreSQL runs it once.
set -eu

psql --set ON_ERROR_STOP=1 --username postgres --set "password=$(cat "${SECRETS:-/run/secrets}/postgres-password")" <<'SQL'
CREATE ROLE portico LOGIN PASSWORD :'password';
CREATE DATABASE portico OWNER portico ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE portico FROM PUBLIC;
SQL
