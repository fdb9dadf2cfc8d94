// nginx and Caddy with the shipped configurations. Only addresses, ports and paths are replaced, and what makes them
// listen on this machine alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { certificate } from './certificates.ts';
import { type TestScope, temporaryFolder } from './databases.ts';
import { read } from './deployed.ts';
import { freePort, isListening } from './services.ts';

export type ProxyKind = 'nginx' | 'caddy';

/** For a test's `skip`: false if there is this proxy, otherwise the reason to skip it. */
export function withoutProxy(kind: ProxyKind): string | false {
  return programOf(kind) === undefined ? `no ${kind}; run it with npm test` : false;
}

export interface RunningProxy {
  /** The public address, which is that of BASE_URL. */
  url: string;
  /** The address without encryption. */
  plainUrl: string;
  /** Everything that it has logged. */
  logs(): string;
}

/** The places of a proxy and of the two nodes behind it. */
interface Places {
  folder: string;
  http: number;
  https: number;
  nodes: readonly [number, number];
}

/** Start a proxy in front of these two ports. It stops when the scope ends. */
export async function startProxy(
  kind: ProxyKind,
  scope: TestScope,
  nodes: readonly [number, number],
  https: number,
): Promise<RunningProxy> {
  const folder = await temporaryFolder(scope);
  const http = await freePort();
  const { key, cert } = certificate();
  writeFileSync(join(folder, 'privkey.pem'), key);
  writeFileSync(join(folder, 'fullchain.pem'), cert);
  const words = STARTS[kind]({ folder, http, https, nodes });
  // Caddy keeps its own state in HOME.
  const child = spawn(programOf(kind) ?? '', words, { cwd: folder, env: { HOME: folder } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const exit = once(child, 'exit');
  scope.after(async () => {
    child.kill('SIGTERM');
    await exit;
  });
  while (!(await isListening(https)) || !(await isListening(http))) {
    if (child.exitCode !== null) throw new Error(`${kind} did not start:\n${output}`);
    await pause(20);
  }
  return {
    url: `https://localhost:${https}`,
    plainUrl: `http://localhost:${http}`,
    logs: () =>
      output + globSync('*.log', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8')),
  };
}

function programOf(kind: ProxyKind): string | undefined {
  return process.env[`TEST_${kind.toUpperCase()}`];
}

const STARTS: Record<ProxyKind, (places: Places) => string[]> = {
  nginx(places) {
    const { folder } = places;
    writeFileSync(join(folder, 'portico.conf'), nginxConfiguration(places));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const user = process.getuid?.() === 0 ? 'user root;' : '';
    const main = `${user} daemon off; pid ${folder}/pid; error_log ${folder}/main.log; events {}
      http { ${temporary.join(' ')} include ${folder}/portico.conf; }`;
    writeFileSync(join(folder, 'nginx.conf'), main);
    return ['-e', join(folder, 'main.log'), '-c', join(folder, 'nginx.conf')];
  },
  caddy(places) {
    const path = join(places.folder, 'Caddyfile');
    writeFileSync(path, caddyConfiguration(places));
    return ['run', '--config', path, '--adapter', 'caddyfile'];
  },
};

function nginxConfiguration({ folder, http, https, nodes }: Places): string {
  return replaced(read('deploy/nginx.conf'), [
    ['127.0.0.1:3000', `127.0.0.1:${nodes[0]}`],
    ['127.0.0.1:3001', `127.0.0.1:${nodes[1]}`],
    ['    listen [::]:80;\n', ''],
    ['    listen [::]:443 ssl;\n', ''],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['listen 443 ssl;', `listen 127.0.0.1:${https} ssl;`],
    ['return 301 https://community.example', `return 301 https://localhost:${https}`],
    ['server_name community.example', 'server_name localhost'],
    ['/etc/letsencrypt/live/community.example', folder],
    ['/var/log/nginx', folder],
  ]);
}

function caddyConfiguration({ folder, http, https, nodes }: Places): string {
  const site = '\n{$COMMUNITY_HOST} {\n';
  return replaced(read('deploy/Caddyfile'), [
    ['portico-1:3000 portico-2:3000', nodes.map((port) => `127.0.0.1:${port}`).join(' ')],
    ['redir https://{$COMMUNITY_HOST}', `redir https://localhost:${https}`],
    [site, `${site}\ttls ${folder}/fullchain.pem ${folder}/privkey.pem\n`],
    ['{$COMMUNITY_HOST}', 'localhost'],
    ['\n{\n', `\n{\n\tadmin off\n\thttp_port ${http}\n\thttps_port ${https}\n\tdefault_bind 127.0.0.1\n`],
  ]);
}

/** Replace each text wherever it is. Fails if it is nowhere. */
function replaced(configuration: string, replacements: readonly [string, string][]): string {
  let text = configuration;
  for (const [from, to] of replacements) {
    assert.ok(text.includes(from), `"${from}" is nowhere`);
    text = text.replaceAll(from, () => to);
  }
  return text;
}
