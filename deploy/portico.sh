#!/bin/sh
# Runs a command of Portico with the settings of portico.service:
#
#   install -m 0755 deploy/portico.sh /usr/local/bin/portico
#   portico doctor
#
# The lines with --setenv are those of the unit. If the unit loads credentials, add them here as well:
#   --property=LoadCredential=smtp-url:/etc/portico/smtp-url --setenv=SMTP_URL_FILE=%d/smtp-url
exec systemd-run --quiet --pipe --wait --collect --uid=portico --gid=portico --working-directory=/opt/portico \
    --setenv=HOST=127.0.0.1 --setenv=PORT=3000 --setenv=TRUST_PROXY=127.0.0.1 \
    --setenv=DATABASE_URL=file:/var/lib/portico/portico.db \
    --setenv=NODE_COMPILE_CACHE=/var/cache/portico \
    --property=EnvironmentFile=-/etc/portico/portico.env \
    --property=UMask=0077 \
    /opt/portico/node_modules/.bin/node bin/portico.js "$@"
