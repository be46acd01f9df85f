/**
 * Writes `docs/reference/settings.md` from the settings' one declaration.
 *
 *   npx tsx scripts/settings-doc.ts           writes it
 *   npx tsx scripts/settings-doc.ts --check   fails when it is not up to date
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { OTHER_VARIABLES } from '../server/config/other-variables.ts';
import { environmentName, SETTINGS, type SettingName } from '../server/config/settings.ts';

const FILE = 'docs/reference/settings.md';
const rows = Object.entries(SETTINGS).map(([name, setting]) => {
  const value = setting.default === '' ? '' : `\`${setting.default}\``;
  return `| \`${name}\`<br>\`${environmentName(name as SettingName)}\` | ${value} | ${setting.description} |`;
});
const variables = Object.entries(OTHER_VARIABLES).map(([name, text]) => `| \`${name}\` | ${text} |`);
const text = `# Settings

<!-- Written by \`npx tsx scripts/settings-doc.ts\`; change server/config/settings.ts instead. -->

A setting stands in \`<home>/service.properties\` (\`name = value\`) or in the environment; the environment wins, the command
line (\`--port\`, \`--host\`) wins over both. An invalid value stops the start with a message naming it, except for the
thresholds and masks of k-anonymity, which fall back to their safe default.

| Setting | Default | |
|---|---|---|
${rows.join('\n')}

## Variables beside the settings

| Variable | What it holds |
|---|---|
${variables.join('\n')}

A start warns of a variable \`SERVICE_…\` that nothing reads, with the nearest name that is read.
`;

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} is not up to date: run npx tsx scripts/settings-doc.ts`);
    process.exit(1);
  }
} else writeFileSync(FILE, text);
