import { z } from 'zod';

/** What schemas say of a wrong value, written for the caller: what is wanted, not how the check is called. */
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        return issue.input === undefined
          ? `Give ${article(issue.expected)} here.`
          : `This has to be ${article(issue.expected)}.`;
      case 'invalid_value':
        return `Use one of: ${issue.values.map(String).join(', ')}.`;
      case 'too_big':
        return `At most ${String(issue.maximum)}${unitOf(issue.origin)}${issue.inclusive === false ? ' (exclusive)' : ''}.`;
      case 'too_small':
        return `At least ${String(issue.minimum)}${unitOf(issue.origin)}${issue.inclusive === false ? ' (exclusive)' : ''}.`;
      default:
        return undefined;
    }
  },
});

const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
  file: ' bytes',
};

function unitOf(origin: string): string {
  return UNITS[origin] ?? '';
}

const NAMES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  boolean: 'true or false',
};

function article(expected: string): string {
  return NAMES[expected] ?? `a ${expected}`;
}
