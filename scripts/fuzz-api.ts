/**
 * Sends requests from an independent fuzzer (schemathesis, of the Python package index) to the built product for two
 * minutes. The fuzzer makes them from our own API reference. No answer may be a failure of the service, and the reference
 * must describe every answer. A 503 is expected of parts that are not set up here: payments, a language model.
 *
 *   npx tsx scripts/fuzz-api.ts        with a random seed, which it prints
 *   SEED=7 npx tsx scripts/fuzz-api.ts runs that seed again
 *
 * Where Python is missing it reports the requirement, and succeeds. The fuzzer is installed once, into `.cache/`.
 */
import './plain-output.ts';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startProduct } from '../demo/e2e/product.ts';
import { SEED } from '../router/testing/seed.ts';

const VERSION = '4.32.5';
const SECONDS = 120;
/** Time limit of start and end, which take longer than the requests. */
const LIMIT_MS = 2 * SECONDS * 1_000;
const FOLDER = resolve(`.cache/schemathesis-${VERSION}`);
const FUZZER = join(FOLDER, 'bin/schemathesis');
const KEY_VARIABLE = 'SERVICE_FUZZ_KEY';

const CONFIGURATION = `
headers = { Authorization = "Bearer \${${KEY_VARIABLE}}" }

[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 503]
`;

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_schema_conformance',
  'response_headers_conformance',
];

const missing = missingFuzzer();
if (missing !== undefined) {
  console.log(`skipped: the fuzzer of the API. ${missing}`);
  process.exit(0);
}
process.exitCode = await fuzz();

/** Installs the fuzzer where it is missing. Returns the reason where that fails. */
function missingFuzzer(): string | undefined {
  if (existsSync(FUZZER)) return undefined;
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  if (spawnSync('python3', ['-c', check], { stdio: 'ignore' }).status !== 0)
    return 'It needs Python 3.10 or later with venv (Debian: apt-get install python3-venv).';
  console.log(`schemathesis ${VERSION} is fetched from the Python package index, once, into ${FOLDER} …`);
  const steps = [
    ['python3', '-m', 'venv', FOLDER],
    [join(FOLDER, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`],
  ] as const;
  for (const [command, ...args] of steps) {
    if (spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: LIMIT_MS }).status === 0) continue;
    rmSync(FOLDER, { recursive: true, force: true });
    return `It could not be installed: ${[command, ...args].join(' ')} failed.`;
  }
  return undefined;
}

/** Runs the fuzzer against a new product. Returns its exit. */
async function fuzz(): Promise<number> {
  if (
    spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--if-needed'], { stdio: 'inherit' }).status !==
    0
  )
    return 1;
  const product = await startProduct();
  try {
    const work = join(FOLDER, 'work');
    mkdirSync(work, { recursive: true });
    writeFileSync(join(work, 'schemathesis.toml'), CONFIGURATION);
    console.log(`SEED=${SEED}`);
    const child = spawn(
      FUZZER,
      [
        'run',
        `${product.url}/rest/service/api/openapi.json`,
        ...['--checks', CHECKS.join(',')],
        ...['--phases', 'examples,coverage,fuzzing'],
        ...['--seed', String(SEED), '--max-time', String(SECONDS), '--request-timeout', '30', '--workers', '2'],
        // Health checks of the data generation's speed and rate, which depend on the machine's load.
        ...['--suppress-health-check', 'all'],
        ...['--generation-database', 'none', '--warnings', 'off', '--no-color', '--continue-on-failure'],
      ],
      { cwd: work, env: { ...process.env, [KEY_VARIABLE]: apiKey(product.home) }, stdio: 'inherit', timeout: LIMIT_MS },
    );
    return await new Promise((resolveStatus, reject) => {
      child.once('error', reject);
      child.once('exit', (status) => resolveStatus(status ?? 1));
    });
  } finally {
    await product.stop();
  }
}

/** Makes an administrator's key. */
function apiKey(home: string): string {
  const args = ['dist/service.js', 'api-key', 'create', '--home', home, '--label', 'fuzzer', '--json'];
  const { stdout } = spawnSync(process.execPath, [...args, '--role', 'ROLE_ADMIN', '--role', 'ROLE_USER'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  const made: unknown = JSON.parse(stdout);
  if (typeof made === 'object' && made !== null && 'key' in made && typeof made.key === 'string') return made.key;
  throw new Error('the command made no key');
}
