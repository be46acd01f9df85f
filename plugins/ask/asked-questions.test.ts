/** Tests the questions that are kept for the owners of models, on every engine of the state. */
import { expect, it } from 'vitest';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { onEveryEngine } from '../../server/state/testing/engines.ts';
import { AskedQuestions, askedQuestionMigrations, type NewQuestion } from './asked-questions.ts';

const [ONE, OTHER] = ['one', 'other'] as [TenantId, TenantId];

const asked = (question: string, more: Partial<NewQuestion> = {}): NewQuestion => ({
  surface: 'semantic',
  reference: 'demo/shop',
  target: { connection: 'demo', model: 'shop' },
  kind: 'off-topic',
  question,
  request: undefined,
  reason: 'No.',
  ...more,
});

onEveryEngine((fixture) => {
  const opened = async (maxKept: number) => {
    const state = await fixture.open({ ask: askedQuestionMigrations });
    let now = 0;
    const clock = () => {
      now += 1_000;
      return now;
    };
    return new AskedQuestions({ state, clock, log: silentLog, maxKept });
  };

  it('a question in the same words is counted, of each model, kind and tenant apart', async () => {
    const questions = await opened(10);
    await questions.keep(ONE, asked('Will it rain?'));
    await questions.keep(ONE, asked('will it RAIN', { request: { limit: 1 } }));
    await questions.keep(ONE, asked('Will it rain?', { reference: 'demo/other' }));
    await questions.keep(ONE, asked('Will it rain?', { kind: 'wrong' }));
    await questions.keep(OTHER, asked('Will it rain?'));
    const listed = await questions.list(ONE, 'demo/shop');
    expect(listed.map(({ kind, times, question, request }) => ({ kind, times, question, request }))).toEqual([
      { kind: 'off-topic', times: 2, question: 'will it RAIN', request: { limit: 1 } },
      { kind: 'wrong', times: 1, question: 'Will it rain?', request: undefined },
    ]);
    expect(listed[0]).toMatchObject({ firstAtMillis: 1_000, lastAtMillis: 2_000 });
    expect(await questions.list(ONE)).toHaveLength(3);
    const [first] = listed;
    expect(await questions.find(OTHER, first?.id ?? '')).toBeUndefined();
    if (first !== undefined) await questions.remove(ONE, first);
    expect(await questions.list(ONE)).toMatchObject([{ reference: 'demo/other' }]);
    expect(await questions.list(OTHER)).toHaveLength(1);
  });

  it('the last questions of a kind stay, a long request does not, and 0 keeps none', async () => {
    const questions = await opened(2);
    for (const question of ['a', 'b', 'c']) await questions.keep(ONE, asked(question));
    await questions.keep(ONE, asked('d', { kind: 'wrong', request: { text: 'x'.repeat(30_000) } }));
    const listed = await questions.list(ONE);
    expect(listed.map(({ question }) => question).sort()).toEqual(['b', 'c', 'd']);
    expect(listed.find(({ question }) => question === 'd')?.request).toBeUndefined();
    const none = await opened(0);
    expect(await none.keep(OTHER, asked('a'))).toBe(false);
    expect(await none.list(OTHER)).toEqual([]);
  });
});
