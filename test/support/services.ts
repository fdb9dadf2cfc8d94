// The programs that tests need besides Node: PostgreSQL, Redis, Chromium, nginx, Caddy, Python and Go. They are found,
// installed or started.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { chmod, mkdtemp } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { postgresAt, postgresIn } from './embedded-postgres.ts';

/** A service with the environment variable that tells tests where it is, or the reason why there is none. */
export type Service =
  | { variable: string; value: string; stop(): Promise<void> }
  | { variable: string; missing: string; remedy: string };

/**
 * Start a PostgreSQL server on a free port, unless `TEST_POSTGRES_URL` names one. Its files are deleted in the end,
 * so it syncs commits to disk only if asked to.
 */
export async function findPostgres({ fsync = false } = {}): Promise<Service> {
  const variable = 'TEST_POSTGRES_URL';
  const address = process.env[variable];
  if (address) return { variable, value: address, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), 'portico-postgres-'));
  // If this process is root's, the server runs as another user, who must be able to reach its files.
  await chmod(folder, 0o755);
  const log: string[] = [];
  const port = await freePort();
  const postgres = await postgresIn(join(folder, 'data'), port, {
    persistent: false,
    // Many connections, because many tests have their own pool.
    postgresFlags: ['-c', `fsync=${fsync}`, '-c', 'max_connections=300'],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message)),
  });
  // If this process is interrupted, the package stops the server, but doesn't delete the folder.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const stop = () => postgres.stop();
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    await stop();
    const reason = [String(error ?? 'it ended at once'), ...log.slice(-3)].join(' ').replace(/\s+/g, ' ');
    return {
      variable,
      missing: `PostgreSQL did not start: ${reason}`,
      remedy: 'set TEST_POSTGRES_URL to a server on which databases may be created',
    };
  }
  return { variable, value: postgresAt(port), stop };
}

/** Start a Redis or Valkey on a free port, unless `TEST_REDIS_URL` names one. */
export async function findRedis(): Promise<Service> {
  const variable = 'TEST_REDIS_URL';
  const address = process.env[variable];
  if (address) return { variable, value: address, stop: async () => {} };
  const names = ['redis-server', 'valkey-server'];
  const program = onPath(names) ?? (install('redis-server') ? onPath(names) : undefined);
  const remedy = 'install Redis or Valkey (on Debian: apt-get install redis-server), or set TEST_REDIS_URL';
  if (program === undefined) return { variable, missing: 'there is no Redis', remedy };
  const port = await freePort();
  const flags = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const redis = spawn(program, flags, { stdio: 'ignore', cwd: tmpdir() });
  // The server ends with this process, however that ends.
  const kill = () => redis.kill('SIGKILL');
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    await stopServer(redis);
  };
  if (await answers(port, redis)) return { variable, value: `redis://127.0.0.1:${port}`, stop };
  await stop();
  return { variable, missing: `${program} did not start`, remedy };
}

/** Find a Chromium, or install one, and a font with Chinese signs. */
export async function findChromium(): Promise<Service> {
  const variable = 'TEST_CHROMIUM';
  const stop = async () => {};
  const path = process.env[variable] || process.env.CHROMIUM_PATH;
  if (path && existsSync(path)) return { variable, value: path, stop };
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const program = onPath(names) ?? (install('chromium') ? onPath(names) : undefined);
  if (!hasChineseFont()) install('fontconfig', 'fonts-wqy-microhei');
  if (program !== undefined) return { variable, value: program, stop };
  const remedy = 'install Chromium (on Debian: apt-get install chromium), or set CHROMIUM_PATH';
  return { variable, missing: 'there is no Chromium', remedy };
}

// Without one, a browser draws the same box for each sign.
function hasChineseFont(): boolean {
  return spawnSync('fc-list', [':lang=zh-cn'], { encoding: 'utf8' }).stdout?.trim().length > 0;
}

/** Find a Python with the libraries of the Python sample, or install them. */
export function findPython(): Service {
  const variable = 'TEST_PYTHON';
  const stop = async () => {};
  const names = [process.env[variable] || 'python3', '/usr/bin/python3'];
  const withLibraries = () =>
    names.find((name) => runQuietly(name, ['-c', 'import authlib, flask, requests'], '/'));
  const packages = ['python3', 'python3-authlib', 'python3-flask', 'python3-requests'];
  const program = withLibraries() ?? (install(...packages) ? withLibraries() : undefined);
  if (program !== undefined) return { variable, value: program, stop };
  const remedy = `install them (on Debian: apt-get install ${packages.join(' ')}), or set ${variable} to such a Python`;
  return { variable, missing: 'there is no Python with Authlib, Flask and requests', remedy };
}

/** Find Go, or install it. */
export const findGo = () => findLanguage('Go', 'TEST_GO', 'go', 'golang-go');

/** Find PHP, or install it. */
export const findPhp = () => findLanguage('PHP', 'TEST_PHP', 'php', 'php-cli');

function findLanguage(name: string, variable: string, command: string, debian: string): Service {
  const stop = async () => {};
  const path = process.env[variable];
  if (path && existsSync(path)) return { variable, value: path, stop };
  const program = onPath([command]) ?? (install(debian) ? onPath([command]) : undefined);
  if (program !== undefined) return { variable, value: program, stop };
  const remedy = `install ${name} (on Debian: apt-get install ${debian}), or set ${variable}`;
  return { variable, missing: `there is no ${name}`, remedy };
}

// Programs for root alone are not on everyone's path.
const SYSTEM_FOLDER = '/usr/sbin';
const UNPACKED = join(import.meta.dirname, '../../node_modules/.cache/unpacked');

/** Find a proxy, or unpack its package beside this program. */
export function findProxy(name: 'nginx' | 'caddy'): Service {
  const variable = `TEST_${name.toUpperCase()}`;
  const stop = async () => {};
  const path = process.env[variable];
  if (path && existsSync(path)) return { variable, value: path, stop };
  const program = onPath([name, join(SYSTEM_FOLDER, name)]) ?? unpacked(name) ?? unpack(name);
  if (program !== undefined) return { variable, value: program, stop };
  const remedy = `install ${name} (on Debian: apt-get install ${name}, which also starts it), or set ${variable}`;
  return { variable, missing: `there is no ${name}`, remedy };
}

// An installed package would start a server that the whole network reaches. `apt-get download` needs no rights.
function unpack(name: string): string | undefined {
  if (onPath(['apt-get']) === undefined) return undefined;
  process.stdout.write(`Downloading ${name} with apt-get…\n`);
  mkdirSync(UNPACKED, { recursive: true });
  if (process.getuid?.() === 0 && !listsAreFresh) listsAreFresh = aptGet('update');
  if (!runQuietly('apt-get', ['-qq', 'download', name], UNPACKED)) return undefined;
  for (const file of globSync(`${name}_*.deb`, { cwd: UNPACKED })) {
    runQuietly('dpkg-deb', ['-x', file, '.'], UNPACKED);
  }
  return unpacked(name);
}

function unpacked(name: string): string | undefined {
  const programs = ['usr/sbin', 'usr/bin'].map((folder) => join(UNPACKED, folder, name));
  // A program whose libraries are missing doesn't start.
  return programs.find((program) => isExecutable(program) && runQuietly(program, ['-h'], UNPACKED));
}

function runQuietly(program: string, words: string[], cwd: string): boolean {
  return spawnSync(program, words, { cwd, stdio: 'ignore', timeout: 300_000 }).status === 0;
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => (isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name))))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let listsAreFresh = false;

/** Install packages of the system, if that is possible without a question: as root on Debian. */
function install(...names: string[]): boolean {
  if (process.getuid?.() !== 0 || onPath(['apt-get']) === undefined) return false;
  process.stdout.write(`Installing ${names.join(', ')} with apt-get…\n`);
  if (!listsAreFresh) listsAreFresh = aptGet('update');
  return aptGet('install', '-y', '--no-install-recommends', ...names);
}

function aptGet(...words: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const installation = spawnSync('apt-get', ['-qq', ...words], { env, stdio: 'ignore', timeout: 300_000 });
  return installation.status === 0;
}

/** Return a port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('A listening server has no port.');
  // The system may choose one again that nobody listens on yet.
  if (given.has(address.port)) return freePort();
  given.add(address.port);
  return address.port;
}

const given = new Set<number>();

async function answers(port: number, server: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 100 && server.exitCode === null; attempt += 1) {
    if (await isListening(port)) return true;
    await pause(50);
  }
  return false;
}

/** Whether a program listens on this port of this machine. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGTERM');
  await once(server, 'exit');
}
