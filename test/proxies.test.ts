// The shipped configurations of nginx and Caddy, held to what the program expects of a proxy.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_FILE_BYTES } from '../src/community/picture.ts';
import { PATHS } from '../src/http/routes.ts';
import { SITE_PAGES } from '../src/http/site/pages.ts';
import {
  below,
  caddy,
  compose,
  composeSettings,
  dockerfile,
  imageSettings,
  nginx,
  only,
  seconds,
  unitSettings,
} from './support/deployed.ts';

test('Proxies call the ports on which nodes listen.', () => {
  const nodes = [...compose.matchAll(/^ {2}(\S+): \*portico$/gm)].map(([, name]) => name);
  const called = only(caddy, /reverse_proxy (.+) \{/).split(' ');

  assert.equal(only(dockerfile, /^EXPOSE (.+)$/m), imageSettings.PORT);
  assert.deepEqual(
    called,
    nodes.map((name) => `${name}:${imageSettings.PORT}`),
  );
  assert.equal(only(nginx, /^ +server ([^ ]+:\d+) /m), `${unitSettings.HOST}:${unitSettings.PORT}`);
});

test('Over http a proxy sends people on to https, and refuses programs, which would send secrets again.', () => {
  const plain = nginx.split(/^server \{/m)[1] ?? '';
  const refusedByNginx = new RegExp(only(plain, /location ~ (\S+) \{\s+default_type \S+\s+return 403 /));
  const patterns = only(caddy, /@programs path (.+)/).split(' ');
  const refusedByCaddy = new RegExp(
    `^(?:${patterns.map((one) => one.replaceAll('.', '\\.').replace('*', '.*')).join('|')})$`,
  );
  const { authorize, consent, logout, logoutAnswer, docs, alive, ready, probe, ...forPrograms } = PATHS;
  const forPeople = [
    authorize,
    consent,
    logout,
    logoutAnswer,
    docs,
    alive,
    ready,
    probe,
    ...SITE_PAGES.map(({ path }) => path),
  ];

  for (const refused of [refusedByNginx, refusedByCaddy]) {
    for (const path of [...Object.values(forPrograms), `${PATHS.protectedResource}${PATHS.api}`]) {
      assert.match(`${path}${path === PATHS.api ? '/me' : ''}`, refused);
    }
    for (const path of [...forPeople, '/.well-known/acme-challenge/x']) assert.doesNotMatch(path, refused);
  }
  assert.match(below(plain, 'location / {'), /^\s+return 301 https:/);
  assert.match(below(caddy, 'http://{$COMMUNITY_HOST} {', 'handle @programs {'), /respond `.+` 403/);
  assert.match(below(caddy, 'http://{$COMMUNITY_HOST} {', 'handle {'), /redir https:\S+ 308/);
});

test('nginx speaks TLS 1.2 and newer, and lets the largest picture through to Portico.', () => {
  assert.equal(only(nginx, /ssl_protocols (.+);/), 'TLSv1.2 TLSv1.3');
  assert.ok(Number(only(nginx, /client_max_body_size (\d+)m;/)) * 1024 * 1024 > MOST_FILE_BYTES + 64 * 1024);
  // Caddy's defaults are the same versions, and no limit.
  assert.doesNotMatch(caddy, /protocols|max_size/);
});

test('The address of the caller comes from the proxy, which nodes trust.', () => {
  const networks = [...compose.matchAll(/- subnet: (.+)/g)].map(([, network]) => network);
  assert.deepEqual(composeSettings.TRUST_PROXY?.split(','), networks);
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
  assert.doesNotMatch(caddy, /trusted_proxies/);
});

test('Proxies let go of an idle connection before the server does.', () => {
  const keepAlive = seconds('src/http/server.ts', /keepAliveTimeout: (\d+) \* SECOND/);

  assert.ok(Number(only(below(nginx, 'upstream portico {'), /keepalive_timeout (\d+)s;/)) < keepAlive);
  assert.ok(Number(only(caddy, /keepalive (\d+)s/)) < keepAlive);
});

test('Proxies repeat nothing that may be done only once.', () => {
  assert.equal(only(nginx, /proxy_next_upstream (.+);/), 'error timeout');
  assert.equal(only(caddy, /lb_retry_match (.+)/), 'method GET HEAD');
});

test('Logs of nginx hold the path and no more of the address, and no header.', () => {
  const servers = nginx.split(/^server \{/m).slice(1);
  const path = new RegExp(only(nginx, /"~(\^.+)" \$before_query;/)).exec('/callback?code=1&state=2');
  const logged: readonly string[] =
    only(nginx, /^log_format portico escape=json([^;]+);/m).match(/\$\w+/g) ?? [];

  assert.equal(path?.groups?.before_query, '/callback');
  assert.deepEqual(
    logged.filter((name) =>
      /^\$(request|request_uri|args|arg_.+|query_string|uri|.*http_.+|cookie_.+)$/.test(name),
    ),
    [],
  );
  assert.ok(logged.includes('$path_alone'));
  assert.equal(servers.length, 2);
  for (const server of servers) {
    assert.match(server, /access_log \S+ portico;/);
    // At the level "error", nginx quotes the request when an upstream fails.
    assert.match(server, /error_log \S+ crit;/);
  }
});

test('Logs of Caddy, also that of failures, hold the path and no more of the address, and no header.', () => {
  const filter = below(caddy, '(secretless) {');
  const [, pattern = '', replacement] = /request>uri regexp "(.+)" "(.*)"/.exec(filter) ?? [];
  const logs = [...caddy.matchAll(/^\tlog( default)? \{([^}]+)\}/gm)];

  assert.equal('/callback?code=1&state=2'.replace(new RegExp(pattern), replacement ?? '?'), '/callback');
  assert.match(filter, /request>headers delete\n\s+resp_headers delete/);
  assert.deepEqual(
    logs.map(([, name]) => name),
    [' default', undefined, undefined],
  );
  for (const [, , text] of logs) assert.match(text ?? '', /import secretless/);
});

test('Strict-Transport-Security is left to Portico.', () => {
  assert.doesNotMatch(nginx + caddy, /Strict-Transport-Security/i);
});
