import { z } from 'zod';
import type { AskSubject } from '../../router/ask-source.ts';
import type { LlmTool } from '../../router/capabilities/llm.ts';

/** The tools of the language model besides writing a query. */
export const OFF_TOPIC_TOOL = 'OffTopic';
export const SKILL_TOOL = 'UseSkill';

export const OffTopicCall = z.object({ reason: z.string() });
export const SkillCall = z.object({ name: z.string() });

const offTopic: LlmTool = {
  name: OFF_TOPIC_TOOL,
  description:
    'Refuses a question that is not about the described data, or that the described data cannot answer. Give the reason in one sentence, in the language of the question.',
  inputSchema: {
    type: 'object',
    properties: { reason: { type: 'string', maxLength: 300 } },
    required: ['reason'],
    additionalProperties: false,
  },
};

const useSkill: LlmTool = {
  name: SKILL_TOOL,
  description: 'Reads the workflow of a skill of the catalogue, when its description fits the question.',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
    additionalProperties: false,
  },
};

/** Returns the tools of a question; one of them must be called. */
export function toolsOf({ tool }: AskSubject, hasSkills: boolean): [LlmTool, ...LlmTool[]] {
  const write: LlmTool = {
    ...tool,
    description: 'Answers the question with one typed query. Use the names of the description.',
  };
  return [write, offTopic, ...(hasSkills ? [useSkill] : [])];
}
