/**
 * Writes `docs/reference/commands.md` from the commands.
 *
 *   npx tsx scripts/commands-doc.ts           writes it
 *   npx tsx scripts/commands-doc.ts --check   fails when it is out of date
 */
import type { Command } from 'commander';
import { commandsOf } from '../server/cli/program.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/reference/commands.md';

function section(command: Command, path: string): string {
  const name = `${path} ${command.name()}`;
  if (command.commands.length > 0)
    return [
      `## ${name}`,
      command.description(),
      ...command.commands.map((each) => section(each, name).replace(/^## /, '### ')),
    ].join('\n\n');
  const parameters = command.registeredArguments.map((each) => {
    const text = `${each.name()}${each.variadic ? '…' : ''}`;
    return each.required ? `<${text}>` : `[${text}]`;
  });
  const shown = (value: unknown) => (Array.isArray(value) ? value.join(', ') : String(value));
  const rows = command.options.map(({ flags, description, defaultValue, argChoices, envVar }) => {
    const notes = [
      ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
      ...(defaultValue === undefined || typeof defaultValue === 'boolean' ? [] : [`default ${shown(defaultValue)}`]),
      ...(envVar === undefined ? [] : [`variable \`${envVar}\``]),
    ];
    return `| \`${flags.replaceAll('|', '\\|')}\` | ${[description, ...notes].join('; ').replaceAll('|', '\\|')} |`;
  });
  return [
    `## ${name}`,
    command.description(),
    `\`${[name, ...parameters, ...(rows.length === 0 ? [] : ['[options]'])].join(' ')}\``,
    ...(rows.length === 0 ? [] : [`| Option | |\n|---|---|\n${rows.join('\n')}`]),
  ].join('\n\n');
}

const text = `# Commands

<!-- Written by \`npx tsx scripts/commands-doc.ts\`; change server/cli/ instead. -->

\`service COMMAND --help\` explains a command. Commands work on the home folder of \`--home\`, also while its server runs; a folder without an installation is an error, unless the command is \`start\` or has \`--create\`. In a
clone, \`service\` is \`node dist/service.js\`. Exit codes: [operations](operations.md#exit-codes).

${commandsOf()
  .map((command) => section(command, 'service'))
  .join('\n\n')}
`;

writeOrCheck(FILE, text, 'npx tsx scripts/commands-doc.ts');
