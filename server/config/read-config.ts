import { getProperties } from 'properties-file';
import { z } from 'zod';
import { nearestFirst } from '../../router/nearest-names.ts';
import { isOtherVariable, OTHER_VARIABLES } from './other-variables.ts';
import { type Config, environmentName, SETTINGS, type SettingName } from './settings.ts';

export interface ConfigSources {
  /** Text of `service.properties`, or empty. */
  readonly properties: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Values from the command line, which override all others. */
  readonly overrides?: Readonly<Partial<Record<SettingName, string>>>;
}

export interface ConfigReading {
  readonly config: Config;
  /** Warnings for an operator: unknown names of properties and variables, and values that were replaced by the safe default. */
  readonly warnings: readonly string[];
}

/** A value that stops the start. The message names the setting, its source and the legal values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads all settings: command line over environment over file over default. */
export function readConfig({ properties, environment, overrides = {} }: ConfigSources): ConfigReading {
  const file = withListed(getProperties(properties));
  const warnings = [...unknownNames(Object.keys(file)), ...unknownVariables(environment)];
  const problems: string[] = [];
  const entries = Object.entries(SETTINGS).map(([property, setting]) => {
    const name = property as SettingName;
    const value = source(name, overrides, environment, file);
    if (value === undefined) return [name, setting.default];
    const parsed = z.safeParse(setting.schema, value.text.trim());
    if (parsed.success) return [name, parsed.data];
    const complaint = `${value.from} ${parsed.error.issues.map((issue) => issue.message).join(', ')}`;
    if ('invalidFallsBack' in setting) {
      warnings.push(`${complaint}; the default ${JSON.stringify(setting.default)} is used`);
      return [name, setting.default];
    }
    problems.push(complaint);
    return [name, setting.default];
  });
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
  // The loop above has parsed every entry with its own schema.
  return { config: Object.fromEntries(entries) as Config, warnings };
}

/** Settings that may have one property for each entry of their list: `service.oidc.attributes.regions=claim`. */
const LISTED: readonly SettingName[] = ['service.oidc.attributes'];

/** Adds such properties to the text of their list. */
function withListed(file: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const listed: Record<string, string> = { ...file };
  for (const name of LISTED) {
    const prefix = `${name}.`;
    const entries = Object.entries(file).filter(([property]) => property.startsWith(prefix));
    for (const [property] of entries) delete listed[property];
    const texts = entries.map(([property, value]) => `${property.slice(prefix.length)}=${value.trim()}`);
    const whole = [file[name] ?? '', ...texts].filter((text) => text.trim() !== '').join(', ');
    if (whole !== '') listed[name] = whole;
  }
  return listed;
}

function source(
  name: SettingName,
  overrides: Readonly<Partial<Record<SettingName, string>>>,
  environment: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, string>>,
): { readonly text: string; readonly from: string } | undefined {
  const override = overrides[name];
  if (override !== undefined) return { text: override, from: `the command line's ${name}` };
  const variable = environmentName(name);
  const fromEnvironment = environment[variable];
  if (fromEnvironment !== undefined && fromEnvironment !== '')
    return { text: fromEnvironment, from: `the variable ${variable}` };
  const fromFile = file[name];
  return fromFile === undefined || fromFile === ''
    ? undefined
    : { text: fromFile, from: `${name} in service.properties` };
}

function unknownNames(names: readonly string[]): string[] {
  const settingNames = Object.keys(SETTINGS);
  return names
    .filter((name) => !settingNames.includes(name))
    .map(
      (name) => `service.properties: there is no setting ${name}; did you mean ${nearestFirst(name, settingNames)[0]}?`,
    );
}

/** Variables with this prefix belong to the product: an unread one has a mistake in its name. */
const VARIABLE_PREFIX = 'SERVICE_';

/** Returns the part of a variable's name that differs from others. The prefix is common to all, and would make short names alike. */
const withoutPrefix = (name: string): string => name.slice(VARIABLE_PREFIX.length);

function unknownVariables(environment: ConfigSources['environment']): string[] {
  const settings = Object.keys(SETTINGS).map((property) => environmentName(property as SettingName));
  const variables = [...settings, ...Object.keys(OTHER_VARIABLES)];
  return Object.keys(environment)
    .filter((name) => name.startsWith(VARIABLE_PREFIX) && !variables.includes(name) && !isOtherVariable(name))
    .map(
      (name) =>
        `environment: nothing reads the variable ${name}; did you mean ${VARIABLE_PREFIX}${nearestFirst(withoutPrefix(name), variables.map(withoutPrefix))[0]}?`,
    );
}
