import { readFile, writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { DEFAULT_TENANT } from '../identity/index.ts';
import { CommandError } from '../installation/command-error.ts';
import { existingHome } from '../installation/existing-home.ts';
import { homeOption } from './common-options.ts';
import { UsageError } from './option-values.ts';

/** The build puts these beside `dist/server/main.cjs`. */
const DIST = new URL('../', import.meta.url);

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly user: string;
  readonly model: string;
  readonly threshold?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly junit?: string;
  readonly html?: string;
}

export function evalCommand(): Command {
  return new Command('eval')
    .description('Ask the questions of a suite, and compare the answers with the right ones.')
    .argument('<suite>', 'the suite, YAML')
    .requiredOption('--model <connection/model>', 'the semantic model that is asked')
    .addOption(homeOption())
    .option('--tenant <name>', 'tenant of the user', DEFAULT_TENANT)
    .option('--user <name>', 'the user that asks', 'admin')
    .option('--threshold <share>', 'share of questions that must pass, from 0 to 1; else that of the suite')
    .option('--record <file>', 'write what the language model answers to a file')
    .option('--replay <file>', 'take the answers of the language model from a file: without a key, costs or network')
    .option('--junit <file>', 'write a report as JUnit XML')
    .option('--html <file>', 'write a report as a page')
    .addHelpText('after', '\nExits with 1 when fewer questions pass than the threshold demands.')
    .action(evaluate);
}

async function evaluate(file: string, options: Options): Promise<void> {
  const [connection, model, ...more] = options.model.split('/');
  if (connection === undefined || model === undefined || connection === '' || model === '' || more.length > 0)
    throw new UsageError('--model names a connection and a model: demo/shop.');
  const setup = existingHome(options.home);
  const [{ EvaluatedModel, readRecording }, { readSuite }, { runSuite }, reports] = await Promise.all([
    import('../eval/recording.ts'),
    import('../eval/suite.ts'),
    import('../eval/run-suite.ts'),
    import('../eval/reports.ts'),
  ]);
  const suite = readSuite(await readText(file), file);
  const threshold = options.threshold === undefined ? suite.threshold : shareOf(options.threshold);
  const { replay } = options;
  const languageModel = new EvaluatedModel(
    replay === undefined ? undefined : readRecording(await readText(replay), replay),
  );
  const { openEvaluated } = await import('../launcher.ts');
  const opened = await openEvaluated(
    {
      ...setup,
      exampleSkillsDirectory: new URL('skills/', DIST),
      languageModel: (configured) => languageModel.wrap(configured),
    },
    { tenant: options.tenant, user: options.user, connection, model },
  );
  const results = [];
  try {
    for await (const result of runSuite(suite, opened, languageModel)) {
      results.push(result);
      process.stderr.write(`${results.length}/${suite.questions.length} ${result.verdict} ${result.question}\n`);
    }
  } finally {
    await opened.stop();
  }
  if (options.record !== undefined)
    await writeFile(options.record, `${JSON.stringify(languageModel.recording, undefined, 2)}\n`);
  if (options.junit !== undefined) await writeFile(options.junit, reports.junitReport(results, options.model));
  if (options.html !== undefined) await writeFile(options.html, reports.htmlReport(results, options.model));
  process.stdout.write(`${reports.textReport(results)}\n`);
  if (reports.summaryOf(results).score < threshold) process.exitCode = 1;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    throw new CommandError(`${file} cannot be read.`);
  }
}

function shareOf(text: string): number {
  const share = Number(text);
  if (text.trim() === '' || !(share >= 0 && share <= 1)) throw new UsageError('--threshold is a number from 0 to 1.');
  return share;
}
