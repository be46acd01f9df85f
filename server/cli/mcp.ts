import { Command } from 'commander';
import { DEFAULT_TENANT } from '../identity/index.ts';
import { existingHome } from '../installation/existing-home.ts';
import { homeOption } from './common-options.ts';

/** The build puts these beside `dist/server/main.cjs`. */
const DIST = new URL('../', import.meta.url);

export function mcpCommand(): Command {
  return new Command('mcp')
    .description('Serve the agent tools over standard input and output (Model Context Protocol).')
    .addOption(homeOption())
    .option('--tenant <name>', 'tenant of the user', DEFAULT_TENANT)
    .option('--user <name>', 'the user that the tools run as', 'admin')
    .option('--structured', 'answer with structured content, described by output schemas, instead of with text', false)
    .option('--flat', 'describe tools without references inside of their schemas', false)
    .addHelpText(
      'after',
      '\nAn agent starts this command itself; see docs/guide/agents.md. A server that runs on the same home is not disturbed.',
    )
    .action(serve);
}

interface Options {
  readonly home: string;
  readonly tenant: string;
  readonly user: string;
  readonly structured: boolean;
  readonly flat: boolean;
}

async function serve({ home, structured, flat, ...account }: Options): Promise<void> {
  const setup = existingHome(home);
  const { launchStdio } = await import('../launcher.ts');
  const served = await launchStdio(
    { ...setup, exampleSkillsDirectory: new URL('skills/', DIST) },
    { ...account, isStructured: structured, isFlat: flat },
  );
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    // The agent has disconnected.
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
  });
  await served.stop();
}
