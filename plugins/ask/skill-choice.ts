import type { AskSubject } from '../../router/ask-source.ts';
import type { Skill, SkillFolders } from '../skills/index.ts';
import { skillPrompt } from '../skills/index.ts';
import { quoted } from './describe-subject.ts';
import { choose } from './fit-lines.ts';
import { MAX_CATALOGUE_TOKENS } from './limits.ts';

/** The skills of a question: general skills, and skills that name its model or cube. */
export class SkillChoice {
  readonly #skills: ReadonlyMap<string, Skill>;

  private constructor(skills: ReadonlyMap<string, Skill>) {
    this.#skills = skills;
  }

  static of({ skills }: Awaited<ReturnType<SkillFolders['scan']>>, { reference }: AskSubject): SkillChoice {
    const isFor = ({ cube }: Skill) => cube === undefined || referenceOf(cube) === referenceOf(reference);
    return new SkillChoice(new Map([...skills].filter(([, skill]) => isFor(skill))));
  }

  get isEmpty(): boolean {
    return this.#skills.size === 0;
  }

  find(name: string): Skill | undefined {
    return this.#skills.get(name);
  }

  /** Expands a question that begins with `/name` into that skill's prompt. Returns any other question unchanged. */
  expandCommand(question: string): string {
    const [, name, rest] = /^\/(\S+)([\s\S]*)$/.exec(question) ?? [];
    const skill = name === undefined ? undefined : this.find(name);
    return skill === undefined ? question : skillPrompt(skill, rest ?? '');
  }

  /** Writes a line for each skill, so that the language model may choose one by itself. */
  async catalogue(question: string): Promise<{ readonly text: string; readonly isStable: boolean }> {
    const skills = [...this.#skills.values()];
    const lines = skills.map(({ name, description }) => ({
      text: `- ${name}: ${quoted(description)}`,
      names: name,
      about: description,
    }));
    const { indexes, isWhole } = await choose(lines, question, MAX_CATALOGUE_TOKENS);
    return { text: indexes.map((index) => lines[index]?.text ?? '').join('\n'), isStable: isWhole };
  }
}

function referenceOf(text: string): string {
  return text
    .trim()
    .replace(/^\/+|\/+$/g, '')
    .toLowerCase();
}
