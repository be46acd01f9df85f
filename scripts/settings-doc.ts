/**
 * Writes `docs/reference/settings.md` from the settings' one declaration.
 *
 *   npx tsx scripts/settings-doc.ts           writes it
 *   npx tsx scripts/settings-doc.ts --check   fails when it is not up to date
 */
import { OTHER_VARIABLES } from '../server/config/other-variables.ts';
import { environmentName, SETTINGS, type SettingName } from '../server/config/settings.ts';
import { writeOrCheck } from './generated-file.ts';

const FILE = 'docs/reference/settings.md';
const rows = Object.entries(SETTINGS).map(([name, setting]) => {
  const value = setting.default === '' ? '' : `\`${setting.default}\``;
  return `| \`${name}\`<br>\`${environmentName(name as SettingName)}\` | ${value} | ${setting.description} |`;
});
const variables = Object.entries(OTHER_VARIABLES).map(([name, text]) => `| \`${name}\` | ${text} |`);
const text = `# Settings

<!-- Written by \`npx tsx scripts/settings-doc.ts\`; change server/config/settings.ts instead. -->

Put a setting into \`<home>/service.properties\` (\`name = value\`) or into the environment. The command line (\`--port\`, \`--host\`) overrides the
environment, and the environment overrides the file. An invalid value stops the start with a message that names it. The thresholds and masks of k-anonymity fall
back to their safe default instead.

| Setting | Default | |
|---|---|---|
${rows.join('\n')}

## Other variables

| Variable | Content |
|---|---|
${variables.join('\n')}

The start warns about an unknown variable \`SERVICE_…\` and suggests the nearest known name.
`;

writeOrCheck(FILE, text, 'npx tsx scripts/settings-doc.ts');
