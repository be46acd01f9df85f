/** Compares the methods with statsforecast, which runs in a virtual environment of Python below `.cache/`. */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import type { ForecastStep } from '../../plugins/analytics/index.ts';
import type { DataSet } from './data-sets.ts';

const ENVIRONMENT = '.cache/forecast-peers';
const PACKAGE = 'statsforecast==2.1.1';
const INSTALL_TIMEOUT_MS = 600_000;
const RUN_TIMEOUT_MS = 7_200_000;

/** The forecasts of one model for series of a data set. */
export interface PeerForecasts {
  readonly set: string;
  readonly model: string;
  /** The model forecast every `every`-th series. */
  readonly every: number;
  /** Processor time of a series. */
  readonly milliseconds: number;
  /** The series that the model could not forecast. Their last value counts. */
  readonly failed: number;
  readonly forecasts: readonly (readonly ForecastStep[])[];
}

const Line = z.object({
  set: z.string(),
  model: z.string(),
  every: z.number(),
  milliseconds: z.number(),
  failed: z.number(),
  forecasts: z.array(z.tuple([z.array(z.number()), z.array(z.number()), z.array(z.number())])),
});

/** Installs statsforecast where it is missing. Returns the reason if that is not possible. */
export function preparePeers(): string | undefined {
  if (existsSync(python()) && run(python(), ['-c', 'import statsforecast']).status === 0) return undefined;
  if (run('python3', ['--version']).status !== 0) return 'this machine has no python3';
  console.error(`Installing ${PACKAGE} into ${ENVIRONMENT} …`);
  const steps = [
    run('python3', ['-m', 'venv', ENVIRONMENT]),
    run(python(), ['-m', 'pip', 'install', '--quiet', PACKAGE]),
  ];
  const failed = steps.find(({ status }) => status !== 0);
  return failed === undefined
    ? undefined
    : `${PACKAGE} could not be installed: ${failed.stderr.trim().split('\n').at(-1)}`;
}

/**
 * Returns the forecasts of every model for every data set, in their order, and reports each as soon as it is ready. They
 * depend only on the series, the models and the version, so that a second run on the same series reads them from a file. A
 * run that was stopped is continued.
 */
export async function* runPeers(sets: readonly DataSet[]): AsyncGenerator<PeerForecasts> {
  const script = join(dirname(new URL(import.meta.url).pathname), 'peers.py');
  const input = sets.map(({ series, ...rest }) => ({
    ...rest,
    series: series.map(({ train }) => ({ train: [...train] })),
  }));
  const key = createHash('sha256').update([PACKAGE, readFileSync(script, 'utf8'), JSON.stringify(input)].join('\n'));
  const file = join(ENVIRONMENT, `forecasts-${key.digest('hex').slice(0, 16)}.jsonl`);
  const lines = existsSync(file) ? linesOf(file) : runScript(script, input, file);
  for await (const text of lines) {
    const { forecasts, ...line } = Line.parse(JSON.parse(text));
    yield { ...line, forecasts: forecasts.map(readSteps) };
  }
}

/** Runs the script for the models without lines in the part file, which becomes `file` once it is complete. */
async function* runScript(script: string, sets: readonly object[], file: string): AsyncGenerator<string> {
  const inputFile = `${file}.input`;
  const partFile = `${file}.part`;
  const kept = existsSync(partFile) ? linesOf(partFile) : [];
  yield* kept;
  const ready = kept.map((line) => Line.parse(JSON.parse(line))).map(({ set, model }) => [set, model]);
  writeFileSync(inputFile, JSON.stringify({ sets, ready }));
  try {
    const process = spawn(python(), [script, inputFile], {
      timeout: RUN_TIMEOUT_MS,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = new Promise<number | null>((resolve) => {
      process.on('close', resolve);
    });
    for await (const line of createInterface({ input: process.stdout })) {
      appendFileSync(partFile, `${line}\n`);
      yield line;
    }
    const status = await ended;
    if (status !== 0) throw new Error(`peers.py ended with ${status ?? 'its time limit'}`);
    renameSync(partFile, file);
  } finally {
    rmSync(inputFile);
  }
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trim().split('\n');
}

function readSteps([values, lower, upper]: readonly [number[], number[], number[]]): readonly ForecastStep[] {
  return values.map((value, h) => ({ value, lower: lower[h] ?? value, upper: upper[h] ?? value }));
}

function python(): string {
  return join(ENVIRONMENT, 'bin/python');
}

function run(command: string, args: readonly string[]) {
  return spawnSync(command, args, { encoding: 'utf8', timeout: INSTALL_TIMEOUT_MS });
}
