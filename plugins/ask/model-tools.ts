import { z } from 'zod';
import type { AskSubject } from '../../router/ask-source.ts';
import type { LlmTool } from '../../router/capabilities/llm.ts';
import { isRecord } from '../../router/record.ts';
import { withSharedParts } from '../../router/tools/agent-schema.ts';
import { MAX_LISTED_VALUES, MAX_READINGS, MAX_TOOLS_LENGTH, MIN_READINGS } from './limits.ts';

/** The tools of the language model besides writing a query. */
export const OFF_TOPIC_TOOL = 'OffTopic';
export const SKILL_TOOL = 'UseSkill';
export const ASK_BACK_TOOL = 'AskBack';

export const OffTopicCall = z.object({ reason: z.string() });
export const SkillCall = z.object({ name: z.string() });
export const AskBackCall = z.object({
  question: z.string().trim().min(1),
  readings: z
    .array(z.object({ label: z.string().trim().min(1), query: z.record(z.string(), z.unknown()) }))
    .min(MIN_READINGS)
    .max(MAX_READINGS),
});

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

function askBack(query: string): LlmTool {
  return {
    name: ASK_BACK_TOOL,
    description:
      'Asks one question back, when the question has two readings that are about as likely and whose answers differ. Not about anything that the description or the conversation settles. Write the question and the labels in the language of the question.',
    inputSchema: {
      type: 'object',
      properties: {
        question: { type: 'string', maxLength: 300, description: 'The question, in one sentence.' },
        readings: {
          type: 'array',
          minItems: MIN_READINGS,
          maxItems: MAX_READINGS,
          items: {
            type: 'object',
            properties: {
              label: { type: 'string', maxLength: 100, description: 'The reading, in a few words.' },
              query: { type: 'object', description: `Its whole query, like an input of ${query}.` },
            },
            required: ['label', 'query'],
          },
        },
      },
      required: ['question', 'readings'],
      additionalProperties: false,
    },
  };
}

/**
 * Returns the tools of a question; one of them must be called. They have at most `MAX_TOOLS_LENGTH` characters, and are the
 * same for every question about the subject, so that the provider's cache serves them and the prompt behind them.
 */
export function toolsOf(
  { tool }: AskSubject,
  { hasSkills, mayAskBack }: { readonly hasSkills: boolean; readonly mayAskBack: boolean },
): [LlmTool, ...LlmTool[]] {
  const others = [offTopic, ...(hasSkills ? [useSkill] : []), ...(mayAskBack ? [askBack(tool.name)] : [])];
  const toolsWith = (inputSchema: LlmTool['inputSchema']): [LlmTool, ...LlmTool[]] => [
    {
      name: tool.name,
      description: 'Answers the question with one typed query. Use the names of the description.',
      inputSchema,
    },
    ...others,
  ];
  let schema = withSharedParts(tool.inputSchema);
  for (const shorten of [withoutTexts, withoutLongLists]) {
    if (JSON.stringify(toolsWith(schema)).length <= MAX_TOOLS_LENGTH) break;
    schema = shorten(schema);
  }
  return toolsWith(schema);
}

type Schema = LlmTool['inputSchema'];

/** Removes the descriptions below the members of the root. The check of a query explains what a description would. */
function withoutTexts(schema: Schema): Schema {
  return changed(schema, 0, ([key, value], depth) =>
    key === 'description' && typeof value === 'string' && depth > 2 ? [] : [[key, value]],
  );
}

/** Removes long lists of values. The check of a query answers with them where a value is wrong. */
function withoutLongLists(schema: Schema): Schema {
  return changed(schema, 0, ([key, value]) =>
    key === 'enum' && Array.isArray(value) && value.length > MAX_LISTED_VALUES ? [] : [[key, value]],
  );
}

type Entry = readonly [key: string, value: unknown];

/** Returns a schema with its entries, at every depth, replaced. */
function changed(schema: Schema, depth: number, change: (entry: Entry, depth: number) => readonly Entry[]): Schema {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isRecord(value) ? changed(value, depth + 1, change) : value;
  };
  const entries = Object.entries(schema).flatMap((entry) => change(entry, depth));
  return Object.fromEntries(entries.map(([key, value]) => [key, inner(value)]));
}
