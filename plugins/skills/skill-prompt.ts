import type { Skill } from './parse-skill.ts';

/** Returns the prompt of a question that uses a skill: its name, its body, the question. */
export function skillPrompt({ name, body }: Skill, question: string): string {
  return `Follow the skill "${name}":\n\n${body.trim()}\n\nThe question: ${question.trim() || 'none; do what the skill says.'}`;
}
