import { z } from 'zod';
import { SKILL_ERROR_CODES, SKILL_ERRORS } from './error-codes.ts';

const SkillSummary = z
  .strictObject({
    name: z.string().describe('The slug: `/name` at the start of a question uses the skill.'),
    description: z.string(),
    cube: z
      .string()
      .optional()
      .describe(
        'What the skill is for: `connection/catalog/schema/cubeName`, or `connection/model`. Absent when it names none.',
      ),
  })
  .meta({ id: 'SkillSummary' });

const SkillError = z
  .strictObject({
    path: z.string().describe('The file, relative to the skills folder.'),
    code: z.enum(SKILL_ERROR_CODES).describe(
      Object.entries(SKILL_ERRORS)
        .map(([code, meaning]) => `${code}: ${meaning}`)
        .join(' '),
    ),
    message: z.string(),
  })
  .meta({ id: 'SkillError' });

export const SkillList = z
  .strictObject({
    skills: z.array(SkillSummary),
    errors: z
      .array(SkillError)
      .optional()
      .describe('Every file that failed to parse in this scan; with `errors=true`.'),
  })
  .meta({ id: 'SkillList' });

export const SkillCounts = z.strictObject({ skills: z.int(), errors: z.int() }).meta({ id: 'SkillCounts' });
