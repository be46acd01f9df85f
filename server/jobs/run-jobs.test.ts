import { afterEach, describe, expect, it } from 'vitest';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { JobReference, JobState, RunAgain } from '../../router/capabilities/jobs.ts';
import type { State } from '../../router/capabilities/state.ts';
import { RateLimitedError, WarehouseError } from '../../router/errors.ts';
import { keptLog } from '../../router/testing/kept-log.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { endJobsOf } from './end-jobs-of-user.ts';
import type { JobLimits } from './limits.ts';
import { type OpenJobs, openJobs } from './run-jobs.ts';
import { type JobTables, jobMigrations } from './tables.ts';

function scope(user: string, ...roles: readonly string[]): Scope {
  return { tenant: 'one' as TenantId, user, roles };
}
const ann = scope('ann', 'ROLE_USER');
const bob = scope('bob', 'ROLE_USER');

/** Makes work that ends when the test decides, and records whether it was stopped. */
function controlled() {
  let resolve: (value: unknown) => void = () => undefined;
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<unknown>((...settle) => {
    [resolve, reject] = settle;
  });
  const work = {
    started: false,
    stopped: false,
    resolve,
    reject,
    run(signal: AbortSignal): Promise<unknown> {
      work.started = true;
      signal.addEventListener('abort', () => {
        work.stopped = true;
        reject(new Error('stopped'));
      });
      return promise;
    },
  };
  return work;
}

async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + 20_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error('did not happen within 20 s');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

onEveryEngine((state) => {
  const opened: OpenJobs[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((jobs) => jobs.close()));
  });

  /** Makes a node. Several nodes of one test share its state. */
  async function node(limits: Partial<JobLimits> = {}, clock: () => number = Date.now) {
    const log = keptLog();
    const store = await state.open({ jobs: jobMigrations });
    const jobs = openJobs({ state: store, clock, log, limits: { heartbeatMs: 10, ...limits } });
    opened.push(jobs);
    return { jobs, log };
  }

  const reference = (id: string, owner: Scope = ann): JobReference => ({ surface: 'semantic', scope: owner, id });
  const submit = (
    jobs: OpenJobs,
    run: (signal: AbortSignal) => Promise<unknown>,
    owner: Scope = ann,
    request: unknown = {},
  ) => jobs.submit({ surface: 'semantic', scope: owner, request, run });
  const reaches = (jobs: OpenJobs, id: string, expected: JobState, owner: Scope = ann) =>
    eventually(async () => (await jobs.status(reference(id, owner)))?.state === expected);

  it('a job is PENDING, then RUNNING, then DONE, and every node returns its result', async () => {
    const [here, there] = [await node(), await node()];
    const work = controlled();
    const { id, state: first } = await submit(here.jobs, work.run);
    expect(first).toBe('PENDING');
    await reaches(there.jobs, id, 'RUNNING');
    expect(await there.jobs.result(reference(id))).toEqual({ status: { id, state: 'RUNNING' }, value: undefined });
    work.resolve({ rows: [1, 'zwei', null] });
    await reaches(there.jobs, id, 'DONE');
    expect(await there.jobs.result(reference(id))).toEqual({
      status: { id, state: 'DONE' },
      value: { rows: [1, 'zwei', null] },
    });
  });

  it('an error for the caller is the error of the job; an internal error is logged and reveals nothing', async () => {
    const { jobs, log } = await node();
    const refused = await submit(jobs, () => Promise.reject(new WarehouseError('The warehouse refused the query.')));
    const broken = await submit(jobs, () => Promise.reject(new Error('secret detail')));
    await reaches(jobs, refused.id, 'FAILED');
    await reaches(jobs, broken.id, 'FAILED');
    expect(await jobs.status(reference(refused.id))).toEqual({
      id: refused.id,
      state: 'FAILED',
      error: { code: 'WAREHOUSE_ERROR', message: 'The warehouse refused the query.' },
    });
    const status = await jobs.status(reference(broken.id));
    expect(status?.error?.code).toBe('EXECUTION_ERROR');
    expect(JSON.stringify(status)).not.toContain('secret');
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  describe('a cancel', () => {
    it('stops a running job on its own node', async () => {
      const { jobs } = await node({ running: 1 });
      const work = controlled();
      const { id } = await submit(jobs, work.run);
      await eventually(() => work.started);
      expect(await jobs.cancel(reference(id))).toEqual({ id, state: 'CANCELLED' });
      expect(work.stopped).toBe(true);
      // The next job runs after the end of the cancelled one.
      const next = await submit(jobs, async () => 2);
      await reaches(jobs, next.id, 'DONE');
      expect(await jobs.status(reference(id))).toEqual({ id, state: 'CANCELLED' });
    });

    it('reaches a job that runs on another node', async () => {
      const [here, there] = [await node(), await node()];
      const work = controlled();
      const { id } = await submit(here.jobs, work.run);
      await eventually(() => work.started);
      expect(await there.jobs.cancel(reference(id))).toEqual({ id, state: 'CANCELLED' });
      await eventually(() => work.stopped);
    });

    it('of a waiting job prevents its start', async () => {
      const { jobs } = await node({ running: 1 });
      const [first, second] = [controlled(), controlled()];
      const { id } = await submit(jobs, first.run);
      const waiting = await submit(jobs, second.run);
      const last = await submit(jobs, async () => 3);
      expect(await jobs.cancel(reference(waiting.id))).toEqual({ id: waiting.id, state: 'CANCELLED' });
      first.resolve(1);
      await reaches(jobs, id, 'DONE');
      // The last job runs after the turn of the cancelled job.
      await reaches(jobs, last.id, 'DONE');
      expect(second.started).toBe(false);
    });

    it('changes nothing after the job has ended', async () => {
      const { jobs } = await node();
      const { id } = await submit(jobs, async () => 1);
      await reaches(jobs, id, 'DONE');
      expect(await jobs.cancel(reference(id))).toEqual({ id, state: 'DONE' });
      expect((await jobs.result(reference(id)))?.value).toBe(1);
    });
  });

  it('a job does not exist for another user, other roles and another surface', async () => {
    const { jobs } = await node();
    const work = controlled();
    const { id } = await submit(jobs, work.run);
    await eventually(() => work.started);
    const strangers = [
      reference(id, bob),
      reference(id, scope('ann', 'ROLE_USER', 'ROLE_ADMIN')),
      reference(id, { ...ann, tenant: 'two' as TenantId }),
      { ...reference(id), surface: 'cube' },
      reference('no such job'),
    ];
    for (const stranger of strangers) {
      expect(await jobs.status(stranger)).toBeUndefined();
      expect(await jobs.result(stranger)).toBeUndefined();
      expect(await jobs.cancel(stranger)).toBeUndefined();
    }
    expect(work.stopped).toBe(false);
    expect(await jobs.status(reference(id, { ...ann, roles: ['ROLE_USER', 'ROLE_USER'] }))).toBeDefined();
  });

  describe('limits', () => {
    it('let a few jobs run at once, and keep room for other users', async () => {
      const { jobs } = await node({ running: 3, runningOfUser: 2 });
      const works = Array.from({ length: 4 }, controlled);
      for (const { run } of works.slice(0, 3)) await submit(jobs, run);
      const [a, b, c, d] = works;
      await submit(jobs, d?.run ?? (async () => undefined), bob);
      await eventually(() => d?.started === true);
      expect([a?.started, b?.started, c?.started]).toEqual([true, true, false]);
      a?.resolve(1);
      await eventually(() => c?.started === true);
    });

    it('refuse more jobs in flight than a user may have, over all nodes, also for simultaneous calls', async () => {
      const [here, there] = [await node({ inFlightOfUser: 3 }), await node({ inFlightOfUser: 3 })];
      const work = controlled();
      const tries = [here, there, here, there, here, there].map(({ jobs }) => submit(jobs, work.run));
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const error of refusals) {
        expect(error).toBeInstanceOf(RateLimitedError);
        expect(error).toMatchObject({ code: 'JOB_LIMIT', retryAfterSeconds: 5 });
      }
      await submit(here.jobs, work.run, bob);
    });

    it('refuse more jobs in flight than a tenant may have, and accept the jobs of another tenant', async () => {
      const { jobs } = await node({ inFlightOfTenant: 1 });
      await submit(jobs, controlled().run);
      await expect(submit(jobs, controlled().run, bob)).rejects.toThrow('the most a tenant may have');
      await submit(jobs, controlled().run, { ...bob, tenant: 'another' as TenantId });
    });

    it('refuse more jobs in flight than the service allows', async () => {
      const { jobs } = await node({ inFlight: 1 });
      await submit(jobs, controlled().run);
      await expect(submit(jobs, controlled().run, bob)).rejects.toThrow('as many queries in flight as it takes');
    });

    it('fail a job with a result that is too large', async () => {
      const { jobs } = await node({ resultSize: 20 });
      const { id } = await submit(jobs, async () => 'x'.repeat(30));
      await reaches(jobs, id, 'FAILED');
      expect(await jobs.status(reference(id))).toMatchObject({ error: { code: 'RESULT_TOO_LARGE' } });
    });

    it('delete the oldest results of a user with too many', async () => {
      let now = 1_000;
      const { jobs } = await node({ resultsOfUser: 70 }, () => now);
      const ids: string[] = [];
      for (const owner of [ann, ann, bob, ann]) {
        now += 1;
        const { id } = await submit(jobs, async () => 'x'.repeat(30), owner);
        await reaches(jobs, id, 'DONE', owner);
        ids.push(id);
      }
      const [first = '', second = '', ofBob = '', third = ''] = ids;
      await eventually(async () => (await jobs.status(reference(first))) === undefined);
      expect(await jobs.status(reference(second))).toBeDefined();
      expect(await jobs.status(reference(ofBob, bob))).toBeDefined();
      expect(await jobs.status(reference(third))).toBeDefined();
    });
  });

  it('an ended job is deleted after its retention time', async () => {
    let now = 1_000_000;
    const { jobs } = await node({ keepMs: 1_000 }, () => now);
    const { id } = await submit(jobs, async () => 1);
    await reaches(jobs, id, 'DONE');
    now += 999;
    expect(await jobs.status(reference(id))).toBeDefined();
    now += 1;
    expect(await jobs.status(reference(id))).toBeUndefined();
    expect(await jobs.result(reference(id))).toBeUndefined();
  });

  it('jobs of a dead node are FAILED and no longer count as in flight', async () => {
    let now = 1_000_000;
    const clock = () => now;
    const dead = await node({ heartbeatMs: 60_000, silentMs: 500, inFlightOfUser: 1 }, clock);
    const { id } = await submit(dead.jobs, controlled().run);
    const alive = await node({ heartbeatMs: 60_000, silentMs: 500, inFlightOfUser: 1 }, clock);
    now += 500;
    expect(await alive.jobs.status(reference(id))).toMatchObject({
      state: 'FAILED',
      error: { code: 'EXECUTION_ERROR', message: expect.stringContaining('node that ran this query is gone') },
    });
    await submit(alive.jobs, controlled().run);
    expect(await alive.jobs.cancel(reference(id))).toMatchObject({ state: 'FAILED' });
  });

  it('a node keeps its jobs alive however long they run', async () => {
    let now = 1_000_000;
    const { jobs } = await node({ silentMs: 500 }, () => now);
    const work = controlled();
    const { id } = await submit(jobs, work.run);
    await eventually(() => work.started);
    const tables = (await state.open({ jobs: jobMigrations })).tables<JobTables>();
    const heartbeat = tables.selectFrom('jobs').select('heartbeat_at').where('id', '=', id);
    for (let step = 0; step < 5; step += 1) {
      now += 400;
      await eventually(async () => Number((await heartbeat.executeTakeFirst())?.heartbeat_at) === now);
    }
    expect(await jobs.status(reference(id))).toEqual({ id, state: 'RUNNING' });
    expect(work.stopped).toBe(false);
  });

  it('a job runs again when its result could not be written because the state was unavailable', async () => {
    const store = await state.open({ jobs: jobMigrations });
    let isAway = false;
    const tables: State['tables'] = () => {
      if (isAway) throw new Error('away');
      return store.tables();
    };
    const log = keptLog();
    const jobs = openJobs({
      state: { engine: store.engine, tables },
      clock: Date.now,
      log,
      limits: { heartbeatMs: 10 },
    });
    opened.push(jobs);
    jobs.register('semantic', async (request) => ({ again: request }));
    jobs.takeOver(async () => undefined);
    const work = controlled();
    const { id } = await submit(jobs, work.run, ann, 'the question');
    await eventually(() => work.started);
    isAway = true;
    work.resolve('never written');
    await eventually(() => log.lines.some(({ message }) => message === 'the state of a job cannot be written'));
    isAway = false;
    await reaches(jobs, id, 'DONE');
    expect((await jobs.result(reference(id)))?.value).toEqual({ again: 'the question' });
  });

  describe('a node that is stopped', () => {
    /** Lets a node take over released jobs, with this work. */
    function takesOver({ jobs }: { readonly jobs: OpenJobs }, again: RunAgain, ready = async (): Promise<void> => {}) {
      jobs.register('semantic', again);
      jobs.takeOver(ready);
    }
    const handIn = (jobs: OpenJobs, work: ReturnType<typeof controlled>, owner: Scope = ann) =>
      submit(jobs, work.run, owner, { of: owner.user });

    it('lets running jobs finish, and starts no other job', async () => {
      const [here, there] = [await node({ running: 1 }), await node()];
      const [first, second] = [controlled(), controlled()];
      const running = await handIn(here.jobs, first);
      const waiting = await handIn(here.jobs, second);
      await eventually(() => first.started);
      const closed = here.jobs.close(5_000);
      first.resolve('the end');
      await closed;
      expect(first.stopped).toBe(false);
      expect((await there.jobs.result(reference(running.id)))?.value).toBe('the end');
      expect(await there.jobs.status(reference(waiting.id))).toEqual({ id: waiting.id, state: 'PENDING' });
      expect(second.started).toBe(false);
    });

    it('receives cancels while it lets its jobs finish', async () => {
      const [here, there] = [await node(), await node()];
      const work = controlled();
      const { id } = await handIn(here.jobs, work);
      await eventually(() => work.started);
      const closed = here.jobs.close(60_000);
      await there.jobs.cancel(reference(id));
      await closed;
      expect(work.stopped).toBe(true);
      expect(await there.jobs.status(reference(id))).toEqual({ id, state: 'CANCELLED' });
    });

    it('releases unfinished jobs, and another node runs them from their requests, as their owners', async () => {
      const [here, there] = [await node(), await node()];
      const works = [controlled(), controlled()];
      const ids: string[] = [];
      for (const [index, owner] of [ann, bob].entries()) {
        const { id } = await handIn(here.jobs, works[index] ?? controlled(), owner);
        ids.push(id);
      }
      await eventually(() => works.every(({ started }) => started));
      await here.jobs.close(20);
      expect(works.map(({ stopped }) => stopped)).toEqual([true, true]);
      const [ofAnn = '', ofBob = ''] = ids;
      expect(await there.jobs.status(reference(ofAnn))).toEqual({ id: ofAnn, state: 'PENDING' });
      takesOver(there, async (request, { tenant, user, roles }) => ({ request, tenant, user, roles }));
      await reaches(there.jobs, ofAnn, 'DONE');
      await reaches(there.jobs, ofBob, 'DONE', bob);
      expect((await there.jobs.result(reference(ofAnn)))?.value).toEqual({ request: { of: 'ann' }, ...ann });
      expect((await there.jobs.result(reference(ofBob, bob)))?.value).toEqual({ request: { of: 'bob' }, ...bob });
      // The stopped node no longer reports its own work on them.
      expect(await here.jobs.status(reference(ofAnn))).toEqual({ id: ofAnn, state: 'DONE' });
    });

    it('leaves jobs that are submitted during its stop to other nodes', async () => {
      const [here, there] = [await node(), await node()];
      const [first, second] = [controlled(), controlled()];
      await handIn(here.jobs, first);
      await eventually(() => first.started);
      const closed = here.jobs.close(5_000);
      const late = await handIn(here.jobs, second);
      takesOver(there, async () => 'elsewhere');
      await reaches(there.jobs, late.id, 'DONE');
      expect(second.started).toBe(false);
      first.resolve(1);
      await closed;
    });

    it('without other nodes leaves its jobs to its next start, however late, and they wait for the datasources', async () => {
      let now = 1_000_000;
      const limits = { silentMs: 500, keepMs: 60_000 };
      const before = await node(limits, () => now);
      const { id } = await handIn(before.jobs, controlled());
      await before.jobs.close();
      now += 59_999;
      const after = await node(limits, () => now);
      expect(await after.jobs.status(reference(id))).toEqual({ id, state: 'PENDING' });
      let isThere = (): void => undefined;
      let begun = false;
      const datasources = new Promise<void>((resolve) => {
        isThere = resolve;
      });
      takesOver(
        after,
        async () => {
          begun = true;
        },
        () => datasources,
      );
      await reaches(after.jobs, id, 'RUNNING');
      expect(begun).toBe(false);
      isThere();
      await reaches(after.jobs, id, 'DONE');
    });

    it('has its jobs FAILED when no node takes them within the retention time', async () => {
      let now = 1_000_000;
      const limits = { keepMs: 60_000, inFlightOfUser: 1 };
      const here = await node(limits, () => now);
      const { id } = await handIn(here.jobs, controlled());
      await here.jobs.close();
      now += 60_000;
      const there = await node(limits, () => now);
      const failed = { state: 'FAILED', error: { message: expect.stringContaining('no other took it') } };
      expect(await there.jobs.status(reference(id))).toMatchObject(failed);
      await handIn(there.jobs, controlled());
      expect(await there.jobs.status(reference(id))).toMatchObject(failed);
      const stopped = await node(limits, () => now);
      const released = await handIn(stopped.jobs, controlled(), bob);
      await stopped.jobs.close();
      takesOver(there, async () => 'in time');
      await reaches(there.jobs, released.id, 'DONE', bob);
      expect(await there.jobs.status(reference(id))).toMatchObject(failed);
    });

    it('has each job taken by one other node, and no node takes more than it can run', async () => {
      const here = await node({ running: 1 });
      const ids: string[] = [];
      for (let index = 0; index < 12; index += 1) {
        const owner = scope(`user ${index % 3}`);
        ids.push((await handIn(here.jobs, controlled(), owner)).id);
      }
      await here.jobs.close();
      const runs: string[] = [];
      let most = 0;
      for (let index = 0; index < 3; index += 1) {
        let present = 0;
        takesOver(await node({ running: 3, runningOfUser: 1 }), async () => {
          present += 1;
          most = Math.max(most, present);
          runs.push('one');
          await new Promise((resolve) => setTimeout(resolve, 10));
          present -= 1;
        });
      }
      for (const [index, id] of ids.entries()) await reaches(here.jobs, id, 'DONE', scope(`user ${index % 3}`));
      expect(runs).toHaveLength(12);
      expect(most).toBeLessThanOrEqual(3);
    });

    it('has a job FAILED that was started too often, with that reason', async () => {
      const first = await node({ attempts: 2 });
      const { id } = await handIn(first.jobs, controlled());
      await reaches(first.jobs, id, 'RUNNING');
      await first.jobs.close();
      const second = await node({ attempts: 2 });
      takesOver(second, (_request, _scope, signal) => controlled().run(signal));
      await reaches(second.jobs, id, 'RUNNING');
      await second.jobs.close();
      expect(await first.jobs.status(reference(id))).toMatchObject({
        error: { code: 'EXECUTION_ERROR', message: expect.stringContaining('started several times') },
      });
    });

    it('has no job run of a user who was removed meanwhile', async () => {
      const here = await node();
      const ofAnn = await handIn(here.jobs, controlled());
      const ofBob = await handIn(here.jobs, controlled(), bob);
      await here.jobs.close();
      const store = await state.open({ jobs: jobMigrations });
      await endJobsOf(store, Date.now, ann.tenant, ann.user);
      const there = await node();
      const users: string[] = [];
      takesOver(there, async (_request, { user }) => {
        users.push(user);
      });
      await reaches(there.jobs, ofBob.id, 'DONE', bob);
      expect(users).toEqual(['bob']);
      expect(await there.jobs.status(reference(ofAnn.id))).toBeUndefined();
    });
  });
});
