/**
 * Writes the recording of the demo's suite as a scripted stand-in for a language model answers: the right request, and for every seventh question
 * first one with a misspelled name, which the answer of the service corrects.
 *
 *   npx tsx demo/eval/record.ts
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Recording } from '../../server/eval/recording.ts';
import { readSuite, type SuiteQuestion } from '../../server/eval/suite.ts';

const SUITE = new URL('shop.yaml', import.meta.url);
const RECORDING = new URL('shop.recording.json', import.meta.url);

/** Characters of a token, about. */
const TOKEN_LENGTH = 4;
/** Input tokens of one call: the description of the demo's model. */
const INPUT_TOKENS = 5_000;

type Answers = Recording['answers'][string];

function answersOf({ question, request }: SuiteQuestion, index: number): Answers {
  if (request === undefined)
    return [called('OffTopic', { reason: `The data of the shop does not answer: ${question}` })];
  const right = called('SemanticAiQueryRequest', { connection: 'demo', model: 'shop', ...request });
  if (index % 7 !== 0) return [right];
  const values = [{ metric: 'net_sale' }];
  return [called('SemanticAiQueryRequest', { connection: 'demo', model: 'shop', ...request, values }), right];
}

function called(tool: string, input: object): Answers[number] {
  const outputTokens = Math.ceil(JSON.stringify(input).length / TOKEN_LENGTH);
  return { tool, input, inputTokens: INPUT_TOKENS, outputTokens, costUsd: 0 };
}

const { questions } = readSuite(readFileSync(SUITE, 'utf8'), 'shop.yaml');
const recording: Recording = {
  version: 1,
  model: 'scripted',
  answers: Object.fromEntries(questions.map((each, index) => [each.question, answersOf(each, index)])),
};
writeFileSync(RECORDING, `${JSON.stringify(recording, undefined, 1)}\n`);
