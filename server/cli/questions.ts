import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { z } from 'zod';
import { ServiceError } from '../../router/errors.ts';
import { jsonOrUndefined } from '../../router/json.ts';
import { isRecord } from '../../router/record.ts';
import { DEFAULT_TENANT } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import type { OwnOperations } from '../launcher.ts';
import { homeOption } from './common-options.ts';
import { printRows } from './print.ts';

/** The build puts these beside `dist/server/main.cjs`. */
const DIST = new URL('../', import.meta.url);

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly user: string;
  readonly json?: true;
  readonly model?: string;
  readonly request?: string;
  readonly question?: string;
}

export function questionCommand(): Command {
  const command = new Command('question').description(
    'Look at the questions in words that were refused or answered wrongly, and certify the right answers.',
  );
  accountOptions(command.command('list'))
    .description('List the questions, the most frequent first.')
    .option('--model <reference>', 'only of this model or cube, such as demo/shop')
    .option('--json', 'print JSON, with the kept queries')
    .action(list);
  accountOptions(command.command('certify'))
    .description('Write the right request of a question into its model, as a certified answer by the user.')
    .argument('<id>', 'as `question list` shows it')
    .option('--request <file>', 'the right request, JSON; without it, the query that was kept with the question')
    .option('--question <text>', 'another wording than the one that was asked')
    .action(certify);
  accountOptions(command.command('remove'))
    .description('Remove a question from the list.')
    .argument('<id>', 'as `question list` shows it')
    .action((id: string, options: Options) =>
      calling(options, async ({ call }) => {
        await call('askedQuestions.remove', 'mutation', { id });
        process.stdout.write(`Removed ${id}.\n`);
      }),
    );
  return command;
}

function accountOptions(command: Command): Command {
  return command
    .addOption(homeOption())
    .option('--tenant <name>', 'tenant of the user', DEFAULT_TENANT)
    .option('--user <name>', 'the administrator who certifies', 'admin');
}

const Questions = z.object({
  questions: z.array(
    z.looseObject({
      id: z.string(),
      reference: z.string(),
      kind: z.string(),
      times: z.number(),
      lastAt: z.string(),
      question: z.string(),
      reason: z.string(),
    }),
  ),
});

async function list(options: Options): Promise<void> {
  const { model: reference, json = false } = options;
  await calling(options, async ({ call }) => {
    const { questions } = Questions.parse(
      await call('askedQuestions.list', 'query', reference === undefined ? {} : { reference }),
    );
    const shown = questions.map(({ id, reference: model, kind, times, lastAt, question, reason }) => ({
      id,
      model,
      kind,
      times,
      lastAt,
      question,
      reason,
    }));
    printRows(json ? questions : shown, json);
  });
}

async function certify(id: string, options: Options): Promise<void> {
  const { request, question } = options;
  const body = {
    id,
    ...(request === undefined ? {} : { request: await readRequest(request) }),
    ...(question === undefined ? {} : { question }),
  };
  await calling(options, async ({ call, whenLoaded }) => {
    await whenLoaded();
    await call('askedQuestions.certify', 'mutation', body);
    process.stdout.write(`Certified ${id}.\n`);
  });
}

async function readRequest(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(`${file} cannot be read.`);
  });
  const request = jsonOrUndefined(text);
  if (!isRecord(request)) throw new CommandError(`${file} is no JSON object.`);
  return request;
}

/** Opens the home as the user of the options, and closes it after the work. */
async function calling(
  { home, tenant, user }: Options,
  work: (operations: OwnOperations) => Promise<void>,
): Promise<void> {
  const setup = existingHome(home);
  const { openAs } = await import('../launcher.ts');
  const opened = await openAs({ ...setup, exampleSkillsDirectory: new URL('skills/', DIST) }, { tenant, user });
  try {
    await work(opened);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const place = error.field === undefined ? '' : `${error.field}: `;
    throw new CommandError(`${place}${error.message}`);
  } finally {
    await opened.stop();
  }
}
