import { relative } from 'node:path';
import { Command } from 'commander';
import { loadDemo, type Showcase } from '../demo/load.ts';
import { putRequestsFirst } from '../fair-share/requests-first.ts';
import { makeHome } from '../home-directory/home-directory.ts';
import { announceServer, serverUrl } from '../home-directory/running-address.ts';
import { openPort } from '../http/port.ts';
import { CommandError } from '../installation/command-error.ts';
import { readSetup, type Setup } from '../installation/setup.ts';
import type { Launched } from '../launcher.ts';
import { PAGES } from '../ui/pages.ts';
import { VERSION } from '../version.ts';
import { homeOption } from './common-options.ts';
import { settingText } from './option-values.ts';
import { progress } from './progress.ts';

/** The build puts these beside `dist/server/main.cjs`. */
const DIST = new URL('../', import.meta.url);

interface StartOptions {
  readonly home: string;
  readonly port?: string;
  readonly host?: string;
  readonly demo?: true;
  readonly timings?: true;
}

export function startCommand(): Command {
  return new Command('start')
    .description('Start the server and print where it is and how to sign in.')
    .addOption(homeOption())
    .option('--port <n>', 'port to listen on (0 takes a free one)', settingText('service.http.port'))
    .option('--host <host>', 'address to listen on', settingText('service.http.host'))
    .option('--demo', 'stage the demo content: a warehouse, its model, saved queries and a dashboard')
    .option('--timings', 'print when each step of the start ended, and the memory then')
    .addHelpText(
      'after',
      '\nThe first start makes an administrator; SERVICE_ADMIN_PASSWORD sets its password.\nExit codes: 1 = the start failed, 2 = a wrong option.',
    )
    .action(start);
}

async function start(options: StartOptions): Promise<void> {
  const startedAt = performance.now();
  const onStep = options.timings ? printStep() : undefined;
  onStep?.('Node and the command line');
  const setup = readSetup(options.home, {
    ...(options.port === undefined ? {} : { 'service.http.port': options.port }),
    ...(options.host === undefined ? {} : { 'service.http.host': options.host }),
  });
  const { config } = setup;
  // Checked before anything is created: a start that cannot listen leaves nothing.
  const port = await openPort(
    config['service.http.host'],
    config['service.http.port'],
    config['service.http.basePath'],
    config['service.http.maxHeaderBytes'],
  );
  putRequestsFirst();
  const stopping = stopOnSignal(setup);
  const url = serverUrl(config['service.http.host'], port.port, config['service.http.basePath']);
  let withdraw = (): void => undefined;
  try {
    makeHome(setup.home);
    withdraw = announceServer(setup.home, url);
    const { staged, showcase } = options.demo ? await stage(setup, stopping.signal) : { staged: [], showcase: [] };
    // Imported here, so that the other commands do not load the whole server.
    onStep?.(options.demo ? 'settings, port and demo' : 'settings and port');
    const { launch } = await import('../launcher.ts');
    onStep?.('modules');
    const launched = await launch({
      ...setup,
      port,
      adminPassword: process.env.SERVICE_ADMIN_PASSWORD || undefined,
      uiDirectory: new URL('ui/', DIST),
      exampleSkillsDirectory: new URL('skills/', DIST),
      showcase,
      newlyStaged: staged,
      onStep,
    });
    process.stdout.write(banner(url, launched, setup, options.demo === true, performance.now() - startedAt));
    const keeping = setTimeout(keepCompiledCode, KEEP_CODE_MS).unref();
    const stop = async () => {
      withdraw();
      clearTimeout(keeping);
      await launched.stop(config['service.http.stopSeconds'] * 1_000);
      await keepCompiledCode();
    };
    stopping.whenAsked(stop);
    // This process's memory belongs to the old state. The supervisor starts a process on the restored one.
    launched.restored
      .then(() => {
        setup.log.warn({}, 'a backup replaced the state of this server: it stops and must be started again');
        return stop();
      })
      .then(
        () => process.exit(RESTART_EXIT_CODE),
        () => process.exit(1),
      );
  } catch (error) {
    withdraw();
    await port.stop(0);
    // Work that a failed part has left running does not keep the process alive.
    setTimeout(() => process.exit(), LINGER_MS).unref();
    if (stopping.signal.aborted) throw new CommandError('Stopped while it was starting.');
    throw error;
  }
}

/** Time after a start until its compiled code is kept, with the functions that the first requests need, in milliseconds. */
const KEEP_CODE_MS = 20_000;

/** Keeps the compiled code for the next start, where `service.cjs` began to use what is kept: not in tests. */
async function keepCompiledCode(): Promise<void> {
  const keep: unknown = Reflect.get(globalThis, Symbol.for('service.keepCompiledCode'));
  if (typeof keep === 'function') await keep();
}

const BYTES_OF_MIB = 1_048_576;

/** Makes a function that prints a step of the start with its end and its duration, counted from the start of the process. */
function printStep(): (step: string) => void {
  let before = 0;
  return (step) => {
    const now = performance.now();
    const [end, took] = [now, now - before].map((each) => each.toFixed(0).padStart(6));
    const memory = (process.memoryUsage.rss() / BYTES_OF_MIB).toFixed(0).padStart(5);
    process.stdout.write(`${end} ms  +${took} ms  ${memory} MiB  ${step}\n`);
    before = now;
  };
}

/** EX_TEMPFAIL of sysexits: a supervisor with restart on failure starts the process again. */
const RESTART_EXIT_CODE = 75;

/** Time for a failed start to end by itself, in milliseconds. */
const LINGER_MS = 1_000;

async function stage(
  { home, log }: Setup,
  signal: AbortSignal,
): Promise<{ readonly staged: readonly string[]; readonly showcase: Showcase }> {
  const demo = loadDemo(new URL('demo/', DIST));
  if (demo === undefined) throw new CommandError('The demo is not built: run `npm run build` first.');
  // Only the first start makes the demo's database, which takes long enough to show.
  let bar: ReturnType<typeof progress> | undefined;
  const { staged } = await demo.module.stageDemo({
    dataDirectory: home.data,
    datasourcesDirectory: home.datasources,
    repositoryDirectory: home.repository,
    contentDirectory: demo.contentDirectory,
    onProgress(...step) {
      bar ??= progress('Staging the demo');
      bar.at(...step);
    },
    signal,
  });
  bar?.end();
  log.debug({ staged }, 'demo staged');
  return { staged: staged.map((file) => relative(home.repository, file)), showcase: demo.showcase };
}

function banner(url: string, { administrator }: Launched, { home }: Setup, demo: boolean, millis: number): string {
  const password = administrator.generatedPassword;
  const lines: readonly (readonly [string, string])[] = [
    ['Home page', `${url}${PAGES.home.path}`],
    ...(demo
      ? [
          [
            PAGES.gallery.link,
            `${url}${PAGES.gallery.path}   live embeds of the demo, and the snippet to paste for each`,
          ] as const,
        ]
      : []),
    [PAGES.api.link, `${url}${PAGES.api.path}`],
    ['OpenAPI document', `${url}/rest/service/api/openapi.json`],
    ['Embed script', `${url}/ui/service-embed.js`],
    ['Home folder', home.root],
  ];
  const width = Math.max(...lines.map(([name]) => name.length)) + 3;
  return [
    '',
    `service ${VERSION} is running at ${url}   (ready in ${(millis / 1_000).toFixed(1)} s)`,
    '',
    `  ${'administrator'.padEnd(width)}${administrator.name}`,
    `  ${'password'.padEnd(width)}${passwordLine(password, administrator.fromEnvironment)}`,
    '',
    ...lines.map(([name, text]) => `  ${name.padEnd(width)}${text}`),
    '',
    '',
  ].join('\n');
}

function passwordLine(generated: string | undefined, fromEnvironment: boolean): string {
  if (generated !== undefined) return `${generated}   (generated, shown only this once)`;
  if (fromEnvironment) return 'as set in SERVICE_ADMIN_PASSWORD';
  return 'as before (`service user passwd admin` sets a new one)';
}

/** A person's or a supervisor's request to stop. A second signal ends the process at once. */
interface Stopping {
  /** Aborted by the first signal, which stops the start. */
  readonly signal: AbortSignal;
  /** Sets how the process stops from now on. A signal that has already arrived takes effect immediately. */
  whenAsked(stop: () => Promise<void>): void;
}

function stopOnSignal({ log }: Setup): Stopping {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) process.exit(1);
      log.info({ signal }, 'stopping');
      stopping.abort();
    });
  }
  return {
    signal: stopping.signal,
    whenAsked(stop) {
      const end = (): void => {
        stop().then(
          () => process.exit(0),
          (error: unknown) => {
            log.error({ err: error }, 'did not stop cleanly');
            process.exit(1);
          },
        );
      };
      if (stopping.signal.aborted) end();
      else stopping.signal.addEventListener('abort', end, { once: true });
    },
  };
}
