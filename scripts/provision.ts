/**
 * Finds or installs what tests need beyond this Node: a Chromium, a MariaDB, a ClickHouse, a Trino, PyJWT, pdftotext,
 * LibreOffice, a Node 22.
 * (PostgreSQL comes from npm, or from the server in SERVICE_TEST_POSTGRES_URL.) Installs Debian packages where apt and
 * root rights are available, and reports it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { libreOfficeMissing } from '../router/testing/libre-office.ts';
import { PYJWT_INSTALL, pyJwtMissing } from '../server/embed-signatures/testing/pyjwt.ts';
import { CHDB_INSTALL, clickhouseMissing } from '../server/warehouse/testing/clickhouse.ts';
import { mysqlMissing } from '../server/warehouse/testing/mysql.ts';
import { javaForTrino, TRINO_INSTALL, trinoMissing } from '../server/warehouse/testing/trino.ts';

const CANDIDATES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

export type Found =
  | { readonly isFound: true; readonly path: string }
  | { readonly isFound: false; readonly advice: string };

/** Returns the browser to test with: SERVICE_CHROMIUM, else one of the usual places, else Debian's package. */
export function provideChromium(): Found {
  const named = process.env.SERVICE_CHROMIUM;
  if (named !== undefined && named !== '') {
    return existsSync(named)
      ? { isFound: true, path: named }
      : { isFound: false, advice: `SERVICE_CHROMIUM names ${named}, which is not there.` };
  }
  const installed = CANDIDATES.find((path) => existsSync(path));
  if (installed !== undefined) return { isFound: true, path: installed };
  installPackage('Chromium', 'chromium');
  const now = CANDIDATES.find((path) => existsSync(path));
  if (now !== undefined) return { isFound: true, path: now };
  return {
    isFound: false,
    advice: 'No Chromium found: install one (Debian: apt-get install chromium) or name one in SERVICE_CHROMIUM.',
  };
}

/** Installs the engines of warehouse tests that npm does not bring, where they are missing and can be installed. */
export function provideWarehouseEngines(): void {
  if (mysqlMissing() !== undefined) installPackage('MariaDB server', 'mariadb-server');
  if (clickhouseMissing() !== undefined && mayInstall()) {
    console.log(`No ClickHouse found: ${CHDB_INSTALL} (0.5 GB) …`);
    const [program = '', ...rest] = CHDB_INSTALL.split(' ');
    spawnSync(program, [...rest, '--no-audit', '--no-fund'], { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  if (trinoMissing() !== undefined && javaForTrino() !== undefined && hasMaven()) {
    console.log('No Trino found: Maven copies its libraries into .cache/trino, once (193 MB) …');
    const [program, ...rest] = TRINO_INSTALL;
    spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], timeout: COPY_WITHIN_MS });
  }
}

const COPY_WITHIN_MS = 600_000;

/** Installs PyJWT, by which a documented backend in Python signs tokens, where there is a Python with pip. */
export function providePyJwt(): void {
  if (pyJwtMissing() === undefined || !hasPip()) return;
  const [program, ...rest] = PYJWT_INSTALL;
  console.log('No PyJWT found: pip copies it into .cache/pyjwt, once …');
  spawnSync(program, rest, { stdio: ['ignore', 'ignore', 'inherit'], timeout: COPY_WITHIN_MS });
}

/** Installs the programs by which tests read exported documents and workbooks back. */
export function provideReaders(): void {
  if (spawnSync('pdftotext', ['-v']).status !== 0) installPackage('pdftotext', 'poppler-utils');
  if (libreOfficeMissing() !== undefined) installPackage('LibreOffice', 'libreoffice-calc-nogui');
}

export function hasPip(): boolean {
  return spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
}

function hasMaven(): boolean {
  return spawnSync('mvn', ['--version']).status === 0;
}

function mayInstall(): boolean {
  return process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

function installPackage(what: string, name: string): void {
  if (!mayInstall()) return;
  console.log(`No ${what} found: installing the Debian package ${name} …`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync('apt-get', ['update', '-qq'], { stdio: 'inherit', env });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  });
}

const NODE_22 = 22;

/**
 * Provides a Node of version 22 or later: this one, else that of SERVICE_NODE_22, else the package `node` of the
 * registry, which is put into `.cache/node-22` once (190 MB: too much to come with every installation).
 */
export function provideNode22(): Found {
  if (Number(process.versions.node.split('.')[0]) >= NODE_22) return { isFound: true, path: process.execPath };
  const named = process.env.SERVICE_NODE_22;
  if (named !== undefined && named !== '') {
    return existsSync(named)
      ? { isFound: true, path: named }
      : { isFound: false, advice: `SERVICE_NODE_22 names ${named}, which is not there.` };
  }
  const folder = fileURLToPath(new URL('../.cache/node-22/', import.meta.url));
  const path = `${folder}node_modules/node/bin/node`;
  if (!existsSync(path)) {
    console.log('Node 22 is fetched from the registry, once, into .cache/node-22 …');
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}package.json`, '{ "private": true }\n');
    const flags = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts=false'];
    spawnSync('npm', ['install', `node@${NODE_22}`, ...flags], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return existsSync(path)
    ? { isFound: true, path }
    : {
        isFound: false,
        advice: 'No Node 22 found: name one in SERVICE_NODE_22, or let npm fetch the package node@22.',
      };
}
