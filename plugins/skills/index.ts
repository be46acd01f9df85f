/** Skills: markdown workflows that an administrator writes, listed for agents and put before questions of people. */
export type { SkillFolders } from './catalogue.ts';
export type { Skill } from './parse-skill.ts';
export { skills } from './plugin.ts';
export { skillPrompt } from './skill-prompt.ts';
