/** Skills: markdown workflows that an administrator writes, listed for agents and put before questions of people. */
import type { Clock } from '../../router/capabilities/clock.ts';
import { standardErrorFormat } from '../../router/error-format.ts';
import { type Plugin, plugin } from '../../router/plugin.ts';
import { SkillFolder } from './catalogue.ts';
import { skillOperations } from './operations.ts';

export type { SkillFolder } from './catalogue.ts';
export type { Skill } from './parse.ts';
export { skillPrompt } from './prompt.ts';

export interface SkillsSurface {
  readonly plugin: Plugin<'skills', ReturnType<typeof skillOperations>>;
  /** The catalogue, for what puts skills into prompts. */
  readonly folder: SkillFolder;
}

/** Makes the skills surface over the folder of the skill files. */
export function skills({ directory, clock }: { readonly directory: string; readonly clock: Clock }): SkillsSurface {
  const folder = new SkillFolder(directory, clock);
  return {
    plugin: plugin({
      name: 'skills',
      title: 'Skills',
      router: skillOperations(folder),
      errorFormat: standardErrorFormat,
    }),
    folder,
  };
}
