import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { CommandError } from '../installation/command-error.ts';
import type { Conversion } from '../launcher-offline.ts';

interface OutputOptions {
  readonly output?: string;
  readonly force?: true;
}

interface MetricflowOptions extends OutputOptions {
  readonly name?: string;
  readonly schema?: string;
  readonly manifest?: string;
  readonly dialect?: string;
}

interface CubeOptions extends OutputOptions {
  readonly cube?: string;
  readonly dialect?: string;
}

export function convertCommand(): Command {
  const command = new Command('convert').description('Convert models of other tools to semantic documents (YAML).');
  const child = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .option('-o, --output <file>', 'write to this file; without it, to standard output')
      .option('--force', 'overwrite the file')
      .addHelpText('after', '\nWhat cannot be carried over is one warning each on standard error.');

  child('metricflow', 'Convert dbt metric YAML (dbt 1.10 and 1.11: semantic_models and metrics).')
    .argument('<file...>', 'all files of the project with semantic models or metrics')
    .option('--name <name>', 'name of the semantic model', 'semantic_model')
    .option('--schema <schema>', 'where dbt builds its models, such as analytics.prod')
    .option('--manifest <file>', "dbt's target/manifest.json, which names the tables as they were built")
    .option('--dialect <name>', "the warehouse's SQL dialect that expressions are written in; without it standard SQL")
    .action(async (files: readonly string[], options: MetricflowOptions) => {
      const { convertMetricflow, loadSqlLibrary, readManifest, readInputFile } = await import('../launcher-offline.ts');
      await loadSqlLibrary();
      const inputs = await Promise.all(files.map(async (name) => ({ name, text: await readInputFile(name) })));
      const manifest = options.manifest === undefined ? undefined : readManifest(await readInputFile(options.manifest));
      if (options.manifest !== undefined && manifest === undefined) {
        throw new CommandError(`${options.manifest} is not a manifest that dbt wrote.`);
      }
      const { name, schema, dialect } = options;
      await finish(convertMetricflow(inputs, { name, schema, dialect, manifest }), options);
    });

  child('cube', 'Convert a cube of a cube schema (XML).')
    .argument('<file>')
    .option('--cube <name>', 'the cube; may be left out where the schema has one')
    .option('--dialect <name>', "the schema's dialect of the SQL to convert, such as mysql")
    .action(async (file: string, options: CubeOptions) => {
      const { convertCube, loadSqlLibrary, readInputFile } = await import('../launcher-offline.ts');
      await loadSqlLibrary();
      const { cube, dialect } = options;
      await finish(convertCube({ name: file, text: await readInputFile(file) }, { cube, dialect }), options);
    });
  return command;
}

async function finish({ model, problems }: Conversion, { output, force }: OutputOptions): Promise<void> {
  const { writeOsi } = await import('../launcher-offline.ts');
  for (const { file, line, severity, message } of problems) {
    const place = [file, line].filter((part) => part !== undefined && part !== '').join(':');
    process.stderr.write(`${place === '' ? '' : `${place}: `}${severity}: ${message}\n`);
  }
  if (model === undefined) throw new CommandError('Nothing was converted; see the errors above.');
  const text = writeOsi(model);
  if (output === undefined) process.stdout.write(text);
  else await write(output, text, force === true);
}

async function write(file: string, text: string, overwrite: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: overwrite ? 'w' : 'wx' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') throw new CommandError(`${file} exists; --force overwrites it.`);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new CommandError(`${file} cannot be written.`);
    throw error;
  }
}
