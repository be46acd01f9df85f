import { z } from 'zod';
import { userOf } from '../../router/calling-user.ts';
import { NotFoundError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { nearestFirst } from '../query-surface/index.ts';
import type { SkillFolders } from './catalogue.ts';
import { SkillCounts, SkillList } from './schemas.ts';

const BASE = '/rest/service/api/ai/skills';

/** Candidates for an unknown skill. */
const MAX_CANDIDATES = 100;

export function skillOperations(folders: SkillFolders) {
  return operations({
    list: operation({
      summary: 'List the skills',
      description:
        'The folder is scanned at each request. A file that is no skill is left out; `errors=true` says why.',
      access: 'user',
      rest: { method: 'GET', path: BASE, query: ['errors'], isRevalidated: true },
    })
      .input(z.strictObject({ errors: z.boolean().optional() }))
      .output(SkillList)
      .query(async ({ ctx, input }) => {
        const { skills, errors } = await folders.scan(userOf(ctx));
        return {
          skills: [...skills.values()].map(({ name, description, cube }) => ({
            name,
            description,
            ...(cube === undefined ? {} : { cube }),
          })),
          ...(input.errors === true ? { errors: [...errors] } : {}),
        };
      }),

    read: operation({
      summary: 'Read one skill as markdown, frontmatter included',
      access: 'user',
      rest: { method: 'GET', path: `${BASE}/{name}`, contentType: 'text/markdown; charset=utf-8' },
      implementationChoice: 'An unknown name is answered 404 with the names there are, nearest first.',
    })
      .input(z.strictObject({ name: z.string().max(200) }))
      .output(z.string())
      .query(async ({ ctx, input }) => {
        const { skills } = await folders.scan(userOf(ctx));
        const skill = skills.get(input.name);
        if (skill !== undefined) return skill.markdown;
        throw new NotFoundError(`There is no skill "${input.name}".`, {
          path: ['name'],
          available: nearestFirst(input.name, [...skills.keys()]).slice(0, MAX_CANDIDATES),
        });
      }),

    refresh: operation({
      summary: 'Read all skill files again, regardless of their modification times',
      access: 'user',
      rest: { method: 'POST', path: `${BASE}/refresh` },
    })
      .output(SkillCounts)
      .mutation(async ({ ctx }) => {
        const { skills, errors } = await folders.refresh(userOf(ctx));
        return { skills: skills.size, errors: errors.length };
      }),
  });
}
