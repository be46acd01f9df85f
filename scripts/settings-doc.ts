/**
 * Writes `docs/settings.md` from the settings' one declaration.
 *
 *   npx tsx scripts/settings-doc.ts           writes it
 *   npx tsx scripts/settings-doc.ts --check   fails when it is not up to date
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { environmentName, SETTINGS, type SettingName } from '../server/config/settings.ts';

const FILE = 'docs/settings.md';
const rows = Object.entries(SETTINGS).map(([name, setting]) => {
  const value = setting.default === '' ? '' : `\`${setting.default}\``;
  return `| \`${name}\`<br>\`${environmentName(name as SettingName)}\` | ${value} | ${setting.description} |`;
});
const text = `# Settings

<!-- Written by \`npx tsx scripts/settings-doc.ts\`; change server/config/settings.ts instead. -->

A setting stands in \`<home>/service.properties\` (\`name = value\`) or in the environment; the environment wins, the command
line (\`--port\`, \`--host\`) wins over both. An invalid value stops the start with a message naming it, except for the
thresholds and masks of k-anonymity, which fall back to their safe default.

| Setting | Default | |
|---|---|---|
${rows.join('\n')}

Besides these, the environment may hold \`SERVICE_HOME\` (the home folder, else \`./service-home\`) and
\`SERVICE_ADMIN_PASSWORD\` (the password of \`admin\`; set at each start).
`;

if (process.argv.includes('--check')) {
  if (readFileSync(FILE, 'utf8') !== text) {
    console.error(`${FILE} is not up to date: run npx tsx scripts/settings-doc.ts`);
    process.exit(1);
  }
} else writeFileSync(FILE, text);
