/**
 * Owns one throw-away PostgreSQL server for tests: makes its data directory, starts it, and takes both away again
 * when standard input closes. The operating system closes that pipe however the test process ends, so a crashed or
 * killed test run leaves no server and no files. Plain JavaScript: Node 20 runs it without a loader.
 *
 * Argument: JSON {initdb, postgres} (paths of the programs). Output: one line of JSON, {port, password} or {failed}.
 * Input: the line `restart` ends the server as a crash does and starts it anew; answered {restarted} or {failed}.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 10_000;

const programs = JSON.parse(process.argv[2] ?? '{}');
const directory = mkdtempSync(join(tmpdir(), 'service-postgres-'));
const account = unprivilegedAccount();
const environment = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' };
let server;
let stopping = false;
let again;

process.stdin.on('data', restart);
process.stdin.on('close', stop);
process.on('SIGTERM', stop);
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);

try {
  const { initdb, postgres } = reachable(programs);
  const data = join(directory, 'data');
  const passwordFile = join(directory, 'password');
  const password = randomBytes(18).toString('base64url');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [directory, data, passwordFile]) giveAway(path);
  execFileSync(
    initdb,
    [
      `--pgdata=${data}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
    ],
    { ...account, cwd: directory, env: environment, stdio: ['ignore', 'ignore', 'pipe'], timeout: READY_WITHIN_MS },
  );
  const port = await start(postgres, data);
  again = () => startOn(port, postgres, data);
  process.stdout.write(`${JSON.stringify({ port, password })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ failed: describe(error) })}\n`);
  await stop();
}

/** Starts the server on a free port; another process may take that port first, so it tries a few. */
async function start(postgres, data) {
  for (let attempt = 1; ; attempt++) {
    const port = await freePort();
    try {
      await startOn(port, postgres, data);
      return port;
    } catch (error) {
      if (attempt === 5 || stopping) throw error;
    }
  }
}

function startOn(port, postgres, data) {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'synchronous_commit=off',
    'full_page_writes=off',
    'max_connections=300',
    'shared_buffers=64MB',
    'timezone=UTC',
    'logging_collector=off',
  ];
  return new Promise((resolve, reject) => {
    let output = '';
    server = spawn(postgres, ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])], {
      ...account,
      cwd: directory,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const timer = setTimeout(() => reject(new Error(`PostgreSQL was not ready in time: ${output}`)), READY_WITHIN_MS);
    server.on('error', reject);
    server.on('exit', () => reject(new Error(`PostgreSQL ended: ${output}`)));
    server.stderr.on('data', (chunk) => {
      output = (output + chunk).slice(-2_000);
      if (output.includes('ready to accept connections')) {
        clearTimeout(timer);
        resolve(undefined);
      }
    });
  });
}

async function restart() {
  try {
    const ended = new Promise((resolve) => server.on('exit', resolve));
    server.kill('SIGQUIT'); // "Immediate shutdown": connections are cut, and nothing is written before the end.
    await ended;
    await again();
    process.stdout.write('{"restarted":true}\n');
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ failed: describe(error) })}\n`);
  }
}

async function stop() {
  if (stopping) return;
  stopping = true;
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    await new Promise((resolve) => {
      const timer = setTimeout(() => server.kill('SIGKILL'), STOP_WITHIN_MS);
      server.on('exit', () => {
        clearTimeout(timer);
        resolve(undefined);
      });
      server.kill('SIGINT'); // PostgreSQL's "fast shutdown": it does not wait for clients.
    });
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  process.exit();
}

/**
 * Returns the account that PostgreSQL runs as, which refuses to run as root: under root it is `postgres` where that
 * account exists, else `nobody`.
 */
function unprivilegedAccount() {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) =>
        Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })),
      );
      return { uid, gid };
    } catch {
      // No such account: the next name.
    }
  }
  return {};
}

function giveAway(path) {
  if (account.uid !== undefined) chownSync(path, account.uid, account.gid);
}

/** Returns programs that the other account can run: a copy where they lie where it cannot look (a checkout below /root). */
function reachable({ initdb, postgres }) {
  if (account.uid === undefined || everybodyMayRun(postgres)) return { initdb, postgres };
  const bin = dirname(postgres);
  const copy = join(directory, 'native');
  cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(directory, 0o755);
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

function everybodyMayRun(path) {
  for (let place = path; ; place = dirname(place)) {
    if ((statSync(place).mode & 0o001) === 0) return false;
    if (place === dirname(place)) return true;
  }
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

function describe(error) {
  const details = error.stderr === undefined ? '' : `: ${String(error.stderr).trim()}`;
  return `${error.message}${details}`;
}
