import * as crypto from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import type { UserCaller } from '../../router/capabilities/identity.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { Csrf, type CsrfSubject, csrfSubject } from './csrf.ts';
import { tenantIdFromColumn } from './names.ts';
import { node } from './testing/fixture.ts';

vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  return { ...real, timingSafeEqual: vi.fn(real.timingSafeEqual) };
});

const ann: UserCaller = { kind: 'user', via: 'basic', tenant: tenantIdFromColumn('t'), user: 'ann', roles: [] };
const inSession: UserCaller = { ...ann, via: 'session' };

function subject(caller: UserCaller, cookie?: string): CsrfSubject {
  const subject = csrfSubject(caller, cookie);
  if (subject === undefined) throw new Error('This caller needs no pair.');
  return subject;
}

describe('the pair', () => {
  const csrf = new Csrf(Buffer.alloc(32, 7));

  it('is accepted when cookie and header have a token issued for this caller', () => {
    for (const owner of [subject(ann), subject(inSession, 'session-1')]) {
      const token = csrf.issue(owner);
      expect(csrf.accepts(owner, { cookie: token, header: token })).toBe(true);
      expect(csrf.isFor(owner, token)).toBe(true);
    }
  });

  it('is refused when either half is missing or the halves differ', () => {
    const owner = subject(ann);
    const token = csrf.issue(owner);
    for (const pair of [
      { cookie: undefined, header: token },
      { cookie: token, header: undefined },
      { cookie: undefined, header: undefined },
      { cookie: token, header: csrf.issue(owner) },
      { cookie: '', header: '' },
    ]) {
      expect(csrf.accepts(owner, pair), JSON.stringify(pair)).toBe(false);
    }
  });

  it('is refused without a valid signature', () => {
    const owner = subject(ann);
    const token = csrf.issue(owner);
    const stranger = new Csrf(Buffer.alloc(32, 8)).issue(owner);
    for (const forged of [
      'x',
      '.',
      'a.b',
      `${token}.x`,
      token.slice(0, -1),
      `${token}=`,
      stranger,
      'é.é',
      'a\u0000.b',
    ]) {
      expect(csrf.accepts(owner, { cookie: forged, header: forged }), forged).toBe(false);
      expect(csrf.isFor(owner, forged)).toBe(false);
    }
  });

  it('is bound to one session, one user, one tenant, and one way of signing in', () => {
    const owners = [
      subject(inSession, 'session-1'),
      subject(inSession, 'session-2'),
      subject(ann),
      subject({ ...ann, user: 'bob' }),
      subject({ ...ann, tenant: tenantIdFromColumn('u') }),
    ];
    for (const issued of owners) {
      const token = csrf.issue(issued);
      expect(owners.filter((owner) => csrf.isFor(owner, token))).toEqual([issued]);
    }
  });

  it('is not required of API keys and anonymous callers, because no browser sends them by itself', () => {
    expect(csrfSubject({ ...ann, via: 'api-key' }, undefined)).toBeUndefined();
    expect(csrfSubject({ kind: 'anonymous' }, 'session-1')).toBeUndefined();
  });

  it('is compared by timingSafeEqual, both the halves and the signature', () => {
    const owner = subject(ann);
    const token = csrf.issue(owner);
    vi.mocked(crypto.timingSafeEqual).mockClear();
    csrf.accepts(owner, { cookie: token, header: token });
    expect(crypto.timingSafeEqual).toHaveBeenCalledTimes(2);
  });
});

onEveryEngine((state) => {
  it('is signed with a secret that all nodes share, also when they start at once', async () => {
    const { store } = await node(state);
    const { store: second } = await node(state);
    const [one, two] = await Promise.all([Csrf.open(store), Csrf.open(second)]);
    expect(two.isFor(subject(ann), one.issue(subject(ann)))).toBe(true);
  });
});
