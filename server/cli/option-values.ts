/** Checks the values of options while the command line is read: a wrong value is reported with the usage. */
import { InvalidArgumentError, type Option } from 'commander';
import { z } from 'zod';
import { isLocale, zoneNamed } from '../../router/time-zone.ts';
import { engineOfUrl, JDBC_PREFIXES } from '../../router/warehouse-engines.ts';
import { SETTINGS, type SettingName } from '../config/settings.ts';
import { CommandError } from '../installation/command-error.ts';

/** Options that do not go together, or are missing: a mistake in the command line that no single option shows. */
export class UsageError extends CommandError {}

/** Returns a parser for the values of a setting; they stay text for the configuration. */
export function settingText(name: SettingName): (text: string) => string {
  return (text) => {
    const parsed = z.safeParse(SETTINGS[name].schema, text.trim());
    if (parsed.success) return text;
    throw new InvalidArgumentError(`It ${parsed.error.issues.map(({ message }) => message).join(', ')}.`);
  };
}

/** Returns a language tag as it is. @throws InvalidArgumentError for any other text */
export function languageTag(text: string): string {
  if (isLocale(text)) return text;
  throw new InvalidArgumentError('It has to be a language such as de or en-GB.');
}

/** Returns the full name of a time zone. @throws InvalidArgumentError for any other text */
export function timeZone(text: string): string {
  const name = zoneNamed(text);
  if (name === undefined) throw new InvalidArgumentError('It has to be a time zone such as Europe/Berlin.');
  return name;
}

/** Reads a whole number. @throws InvalidArgumentError for anything else, and for 0 and less */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('It has to be a whole number above 0.');
  return value;
}

/** Makes options with any text refuse blank values. An environment variable without a text counts as absent. */
export function refuseBlanks(options: readonly Option[]): void {
  for (const option of options) {
    if (!option.required || option.parseArg !== undefined) continue;
    const { envVar } = option;
    const isFirst = (before: unknown) => before === undefined || before === option.defaultValue;
    option.argParser<unknown>((text, before) => {
      if (text.trim() === '') {
        if (envVar !== undefined && process.env[envVar]?.trim() === '') return before;
        throw new InvalidArgumentError('It must not be empty.');
      }
      if (!option.variadic) return text;
      return isFirst(before) || !Array.isArray(before) ? [text] : [...before, text];
    });
  }
}

/** @throws InvalidArgumentError for the address of a warehouse that no driver knows */
export function jdbcUrl(text: string): string {
  if (engineOfUrl(text) !== undefined) return text;
  throw new InvalidArgumentError(`It has to begin with one of: ${JDBC_PREFIXES.join(', ')}.`);
}
