import type { Clock } from '../../router/capabilities/clock.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { type Plugin, plugin } from '../../router/plugin.ts';
import { SkillFolders } from './catalogue.ts';
import { skillOperations } from './operations.ts';

export interface SkillsSurface {
  readonly plugin: Plugin<'skills', ReturnType<typeof skillOperations>>;
  /** The catalogues, for what puts skills into prompts. */
  readonly folders: SkillFolders;
}

export interface SkillsOptions {
  /** Returns the folder of a tenant's skill files. */
  readonly directoryOf: (tenant: TenantId) => Promise<string>;
  readonly clock: Clock;
}

/** Makes the skills surface over the folders of the skill files. */
export function skills({ directoryOf, clock }: SkillsOptions): SkillsSurface {
  const folders = new SkillFolders(directoryOf, clock);
  return {
    plugin: plugin({
      name: 'skills',
      title: 'Skills',
      router: skillOperations(folders),
      errorFormat: standardErrorFormat,
    }),
    folders,
  };
}
