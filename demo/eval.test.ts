/** Evaluates the demo's suite of a hundred questions with its recording, and a small suite with each kind of mistake. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { allMigrations } from '../server/all-migrations.ts';
import { readConfig } from '../server/config/read-config.ts';
import { EvaluatedModel, type Recording, readRecording } from '../server/eval/recording.ts';
import { htmlReport, junitReport, summaryOf, textReport } from '../server/eval/reports.ts';
import { type Result, runSuite } from '../server/eval/run-suite.ts';
import { readSuite, type Suite } from '../server/eval/suite.ts';
import { locateHome, makeHome, stateFile } from '../server/home-directory/home-directory.ts';
import { openIdentity } from '../server/identity/index.ts';
import { openEvaluated } from '../server/launcher.ts';
import { openLog } from '../server/log/log.ts';
import { openState } from '../server/state/index.ts';
import { stageDemo } from './stage.ts';
import { temporaryDirectory } from './testing/warehouse.ts';

const read = (name: string) => readFileSync(new URL(`eval/${name}`, import.meta.url), 'utf8');
const SUITE = readSuite(read('shop.yaml'), 'shop.yaml');
const RECORDING = readRecording(read('shop.recording.json'), 'shop.recording.json');

/** The suite of the guide. */
const [, GUIDE = ''] =
  /<!-- example: suite -->\n```yaml\n([\s\S]*?)^```$/m.exec(readFileSync('docs/guide/evaluation.md', 'utf8')) ?? [];

const BY_REGION = { rows: [{ dataset: 'stores', field: 'region' }], values: [{ metric: 'net_sales' }] };
const BY_COUNTRY = { rows: [{ dataset: 'stores', field: 'country' }], values: [{ metric: 'net_sales' }] };

function written(request: object): Recording['answers'][string] {
  const input = { connection: 'demo', model: 'shop', ...request };
  return [{ tool: 'SemanticAiQueryRequest', input, inputTokens: 100, outputTokens: 20, costUsd: 0.01 }];
}

const OFF_TOPIC: Recording['answers'][string] = [
  { tool: 'OffTopic', input: { reason: 'No <data>.' }, inputTokens: 1, outputTokens: 1, costUsd: 0 },
];

/** Questions that are answered wrongly, each in another way. */
const MISTAKES: Suite = {
  tolerance: 1e-6,
  threshold: 1,
  questions: [
    { question: 'right', request: BY_REGION },
    { question: 'right figures and more', request: BY_REGION },
    { question: 'other figures', request: BY_REGION },
    { question: 'refused, and there is an answer', request: BY_REGION },
    { question: 'answered, and there is none', refused: true },
    { question: 'rows that are given', rows: [[4]] },
    { question: 'not in the recording', request: BY_REGION },
  ],
};
const REPLAYED: Recording = {
  version: 1,
  model: 'scripted',
  answers: {
    right: written(BY_REGION),
    'right figures and more': written({ ...BY_REGION, values: [{ metric: 'net_sales' }, { metric: 'margin' }] }),
    'other figures': written(BY_COUNTRY),
    'refused, and there is an answer': OFF_TOPIC,
    'answered, and there is none': written(BY_REGION),
    'rows that are given': written({ values: [{ metric: 'customer_count' }] }),
  },
};

async function evaluate(home: ReturnType<typeof locateHome>, suite: Suite, recording: Recording) {
  const model = new EvaluatedModel(recording);
  const { config } = readConfig({ properties: '', environment: {}, overrides: { 'ai.kAnonymity': '0' } });
  const opened = await openEvaluated(
    {
      home,
      config,
      environment: {},
      log: openLog('silent'),
      exampleSkillsDirectory: new URL('../skills/', import.meta.url),
      languageModel: (configured) => model.wrap(configured),
    },
    { tenant: 'default', user: 'admin', connection: 'demo', model: 'shop' },
  );
  const results: Result[] = [];
  try {
    for await (const result of runSuite(suite, opened, model)) results.push(result);
  } finally {
    await opened.stop();
  }
  return { results, model };
}

test('the recorded answers to the hundred questions pass, and each kind of mistake is called by its name', async () => {
  const root = await temporaryDirectory();
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  await stageDemo({
    dataDirectory: home.data,
    datasourcesDirectory: home.datasources,
    repositoryDirectory: home.repository,
    contentDirectory: fileURLToPath(new URL('content/', import.meta.url)),
    factRows: 6_000,
  });
  const log = openLog('silent');
  const state = await openState({ url: undefined, sqliteFile: stateFile(home), log });
  await state.migrate(allMigrations, { isAll: true });
  const identity = await openIdentity({ state, clock: Date.now, log });
  const tenant = await identity.tenants.ensure('default');
  await identity.users.add({
    tenant: tenant.id,
    name: 'admin',
    password: 'a password for this test',
    roles: ['ROLE_ADMIN'],
  });
  await state.close();
  mkdirSync(join(root, 'out'));

  const { results, model } = await evaluate(home, SUITE, RECORDING);
  expect(textReport(results.filter(({ verdict }) => verdict !== 'passed'))).toMatch(/^0 questions/);
  expect(summaryOf(results)).toMatchObject({ counts: { passed: 100, near: 0, wrong: 0, refused: 0 }, score: 1 });
  // Every seventh of the 93 questions with an answer needs a second call.
  expect(results.reduce((sum, { calls }) => sum + calls, 0)).toBe(100 + 14);
  // What was recorded while it ran is the recording again.
  expect(model.recording.answers).toEqual(RECORDING.answers);

  const guide = readSuite(GUIDE, 'evaluation.md');
  const right: Recording['answers'] = Object.fromEntries(
    guide.questions.map(({ question, request }) => [question, request === undefined ? OFF_TOPIC : written(request)]),
  );
  const { results: ofGuide } = await evaluate(home, guide, { version: 1, model: 'scripted', answers: right });
  expect(summaryOf(ofGuide).counts).toEqual({ passed: guide.questions.length, near: 0, wrong: 0, refused: 0 });

  const { results: mistakes } = await evaluate(home, MISTAKES, REPLAYED);
  expect(mistakes.map(({ question, verdict }) => [question, verdict])).toEqual([
    ['right', 'passed'],
    ['right figures and more', 'near'],
    ['other figures', 'wrong'],
    ['refused, and there is an answer', 'refused'],
    ['answered, and there is none', 'wrong'],
    ['rows that are given', 'wrong'],
    ['not in the recording', 'refused'],
  ]);
  expect(summaryOf(mistakes)).toMatchObject({ inputTokens: 501, outputTokens: 101, score: 1 / 7 });
  const junit = junitReport(mistakes, 'demo/shop');
  expect(junit).toContain('tests="7" failures="6"');
  expect(junit).toContain('<failure type="refused" message="No &lt;data&gt;."/>');
  const page = htmlReport(mistakes, 'demo/shop');
  expect(page).toContain('No &lt;data&gt;.');
  expect(page).not.toContain('<script');
  writeFileSync(join(root, 'out', 'report.html'), page);
});

test.each([
  ['questions: []', 'questions'],
  ['questions: [{ question: x }]', 'one of request, rows and refused'],
  ['questions: [{ question: x, refused: true }, { question: x, refused: true }]', 'twice'],
  ['questions: [', 'is not YAML'],
])('%s is no suite', (text, message) => {
  expect(() => readSuite(text, 'suite.yaml')).toThrow(message);
});
