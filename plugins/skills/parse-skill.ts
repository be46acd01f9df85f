import { load, YAMLException } from 'js-yaml';
import { SKILL_ERRORS, type SkillErrorCode, type SkillFault } from './error-codes.ts';
import { MAX_FRONTMATTER_LENGTH } from './limits.ts';

export interface Skill {
  /** The slug after the slash. */
  readonly name: string;
  readonly description: string;
  /** `connection/catalog/schema/cubeName`, or `connection/model` of a semantic model. */
  readonly cube: string | undefined;
  /** Everything below the frontmatter, as written. */
  readonly body: string;
  /** The whole file, as written. */
  readonly markdown: string;
}

const SKILL_NAME = /^[a-z][a-z0-9-]{0,63}$/;

const REQUIRED = ['name', 'description'] as const;
const FIELDS: readonly string[] = [...REQUIRED, 'cube'];

/** Reads one skill file, or returns the reason why it is not a skill. */
export function parseSkill(markdown: string): Skill | SkillFault {
  const text = markdown.replace(/^\uFEFF/, '');
  if (text.trim() === '') return fault('EMPTY_SKILL');
  const parts = split(text);
  if ('code' in parts) return parts;
  const read = readFields(parts.frontmatter);
  if ('code' in read) return read;
  if (parts.body.trim() === '') return fault('EMPTY_BODY');
  const { fields } = read;
  const wrong = checkFields(fields);
  if (wrong !== undefined) return wrong;
  const { name, description, cube } = fields;
  return {
    name: String(name),
    description: String(description).trim(),
    cube: typeof cube === 'string' && cube.trim() !== '' ? cube.trim() : undefined,
    body: parts.body,
    markdown: text,
  };
}

/**
 * Splits a file at its fences, which are lines of three dashes and nothing else; the first is the file's first line.
 */
function split(text: string): { readonly frontmatter: string; readonly body: string } | SkillFault {
  const opening = /^---[ \t]*(\r?\n|$)/.exec(text);
  if (opening === null) return fault('MISSING_FRONTMATTER');
  const start = opening[0].length;
  const closing = /^---[ \t]*\r?$/gm;
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (end === null) return fault('MALFORMED_YAML', 'The frontmatter has no closing line `---`.');
  if (end.index - start > MAX_FRONTMATTER_LENGTH) {
    return fault('MALFORMED_YAML', `The frontmatter is longer than ${MAX_FRONTMATTER_LENGTH} characters.`);
  }
  return {
    frontmatter: text.slice(start, end.index),
    body: text.slice(end.index + end[0].length).replace(/^\n/, ''),
  };
}

function readFields(frontmatter: string): { readonly fields: Readonly<Record<string, unknown>> } | SkillFault {
  let value: unknown;
  try {
    value = frontmatter.trim() === '' ? {} : load(frontmatter);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    // Lines are counted from the top of the file, where the fence is line 1.
    const line = error.mark === undefined ? '' : ` (line ${error.mark.line + 2})`;
    return fault('MALFORMED_YAML', `The frontmatter is not readable YAML${line}: ${error.reason}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return fault('MALFORMED_YAML', 'The frontmatter must be fields with values, such as `name: top-sellers`.');
  }
  return { fields: value as Readonly<Record<string, unknown>> };
}

function checkFields(fields: Readonly<Record<string, unknown>>): SkillFault | undefined {
  const missing = REQUIRED.find((name) => !Object.hasOwn(fields, name));
  if (missing !== undefined) return fault('MISSING_FIELD', `The field "${missing}" is missing.`);
  const blank = REQUIRED.find((name) => isBlank(fields[name]));
  if (blank !== undefined) return fault('BLANK_FIELD', `The field "${blank}" is empty.`);
  const mistyped = FIELDS.find((name) => fields[name] != null && typeof fields[name] !== 'string');
  if (mistyped !== undefined) {
    return fault('TYPE_MISMATCH', `The field "${mistyped}" must be text; put a value that is not in quotes.`);
  }
  if (!SKILL_NAME.test(String(fields.name))) return fault('INVALID_NAME');
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown === undefined) return undefined;
  return fault('UNKNOWN_FIELD', `There is no field "${unknown.slice(0, 64)}"; the fields are ${FIELDS.join(', ')}.`);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

function fault(code: SkillErrorCode, message: string = SKILL_ERRORS[code]): SkillFault {
  return { code, message };
}
