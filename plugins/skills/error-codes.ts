/**
 * The reasons why a file is not a skill: the closed list of the interface, with a message for the author of the file.
 */
export const SKILL_ERRORS = {
  EMPTY_SKILL: 'The file is empty.',
  MISSING_FRONTMATTER: 'The file must begin with a line `---`, then `name` and `description`, then another `---`.',
  EMPTY_BODY: 'There is nothing below the frontmatter: write the workflow there.',
  MALFORMED_YAML: 'The frontmatter is not readable YAML.',
  MISSING_FIELD: 'A required field is missing.',
  BLANK_FIELD: 'A required field is empty.',
  TYPE_MISMATCH: 'A field must be text; put a value that looks like a number in quotes.',
  INVALID_NAME: 'A name begins with a lower-case letter and has at most 64 of a-z, 0-9 and "-".',
  UNKNOWN_FIELD: 'The frontmatter has a field that skills do not have.',
  DUPLICATE_NAME: 'Another file has this name already.',
  IO_ERROR: 'The file cannot be read.',
} as const satisfies Record<string, string>;

export type SkillErrorCode = keyof typeof SKILL_ERRORS;

export const SKILL_ERROR_CODES = Object.keys(SKILL_ERRORS) as [SkillErrorCode, ...SkillErrorCode[]];

/** The reason why one file is not a skill. */
export interface SkillFault {
  readonly code: SkillErrorCode;
  readonly message: string;
}
