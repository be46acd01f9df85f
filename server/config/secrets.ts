import { secretsOfUrl } from '../log/url-secrets.ts';
import { type Config, SETTINGS, type SettingName } from './settings.ts';

/** Variables of the environment that are secrets by convention, such as ANTHROPIC_API_KEY and PGPASSWORD. */
const SECRET_VARIABLE = /(?:KEY|SECRET|TOKEN|PASSWORD|PASSWD|CREDENTIALS?)$/i;
/** `name=value,name=value`, where a value is `Bearer …`. */
const HEADERS_VARIABLE = /_HEADERS$/;

/** Returns every secret of the settings and of the environment, for the log to leave out. */
export function configuredSecrets(
  config: Config,
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const settings = Object.entries(config).flatMap(([name, value]) =>
    isSecret(name) ? [String(value)] : secretsOfUrl(String(value)),
  );
  const variables = Object.entries(environment).flatMap(([name, value = '']) => {
    if (SECRET_VARIABLE.test(name)) return [value];
    if (HEADERS_VARIABLE.test(name)) return headerSecrets(value);
    return value.includes('://') ? secretsOfUrl(value) : [];
  });
  return [...settings, ...variables];
}

function isSecret(name: string): boolean {
  return Object.hasOwn(SETTINGS, name) && 'isSecret' in SETTINGS[name as SettingName];
}

function headerSecrets(headers: string): readonly string[] {
  return headers.split(',').flatMap((header) => {
    const value = header.slice(header.indexOf('=') + 1).trim();
    return [value, value.split(/ |%20/).at(-1) ?? ''];
  });
}
