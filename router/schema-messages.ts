import { z } from 'zod';

/** Words the problems of schemas for the caller: the expected value, not the name of the check. */
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'invalid_type':
        if (issue.input === undefined) {
          Object.assign(issue, { isMissing: true });
          return `Give ${article(issue.expected)} here.`;
        }
        // `readJson` returns a text for a number that a double does not represent exactly.
        return typeof issue.input === 'string' && NUMBERS.has(issue.expected) && /^-?\d[\d.eE+-]{4,}$/.test(issue.input)
          ? `This has to be ${article(issue.expected)}, with no more digits than a double represents.`
          : `This has to be ${article(issue.expected)}.`;
      case 'invalid_value':
        return `Use one of: ${issue.values.map(String).join(', ')}.`;
      case 'invalid_union':
        return !Array.isArray(issue.options) ? undefined : `Use one of: ${issue.options.map(String).join(', ')}.`;
      case 'too_big':
        return `At most ${String(issue.maximum)}${unitSuffix(issue.origin)}${issue.inclusive === false ? ' (exclusive)' : ''}.`;
      case 'too_small':
        return `At least ${String(issue.minimum)}${unitSuffix(issue.origin)}${issue.inclusive === false ? ' (exclusive)' : ''}.`;
      case 'unrecognized_keys':
        // A member that is set on the issue here also appears on the error.
        Object.assign(issue, { legalMembers: membersOf(issue.inst) });
        return 'There are members here that this has not.';
      default:
        return undefined;
    }
  },
});

/** Returns the legal members for an issue about unknown ones. */
export function legalMembersOf(issue: z.core.$ZodIssueUnrecognizedKeys): readonly string[] {
  return WithLegalMembers.safeParse(issue).data?.legalMembers ?? [];
}

const WithLegalMembers = z.object({ legalMembers: z.array(z.string()) });

/** Returns whether an issue is about a missing member. */
export function isMissing(issue: z.core.$ZodIssue): boolean {
  return 'isMissing' in issue && issue.isMissing === true;
}

function membersOf(raisedBy: unknown): readonly string[] {
  return raisedBy instanceof z.core.$ZodObject ? Object.keys(raisedBy._zod.def.shape) : [];
}

const NUMBERS: ReadonlySet<string> = new Set(['number', 'int']);

const UNITS: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
  file: ' bytes',
};

function unitSuffix(origin: string): string {
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
