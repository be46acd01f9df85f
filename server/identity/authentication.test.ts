import { expect, it } from 'vitest';
import { RateLimitedError, UnauthenticatedError } from '../../router/errors.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { basic, HOSTILE_NAMES, HOUR, MINUTE, type Node, node } from './testing/fixture.ts';

const address = '192.0.2.1';

onEveryEngine((state) => {
  async function withAnn(): Promise<Node> {
    const made = await node(state);
    await made.identity.users.add({ tenant: made.tenant, name: 'ann', password: 'a:b ü' });
    return made;
  }

  it('a caller without credentials, or with an ended session, is anonymous', async () => {
    const { identity } = await withAnn();
    const { authentication } = identity;
    expect(await authentication.authenticate({ address })).toEqual({ kind: 'anonymous' });
    expect(await authentication.authenticate({ address, authorization: '' })).toEqual({ kind: 'anonymous' });
    const over = await authentication.authenticate({ address, sessionCookie: 'A'.repeat(43) });
    expect(over).toEqual({ kind: 'anonymous' });
  });

  it('signs in by name and password, and then identifies the caller by the session', async () => {
    const { identity, tenant, clock } = await withAnn();
    const { caller, session } = await identity.authentication.signIn({ username: 'ann', password: 'a:b ü', address });
    expect(caller).toEqual({
      kind: 'user',
      via: 'session',
      tenant,
      user: 'ann',
      roles: ['ROLE_USER'],
      attributes: {},
      isAccount: true,
    });
    expect(session.expiresAtMillis).toBe(clock.now + 7 * 24 * HOUR);
    expect(await identity.authentication.authenticate({ address, sessionCookie: session.id })).toEqual(caller);
  });

  it('accepts the same right password twelve times at once, by form and by header, and counts no failure', async () => {
    const { identity } = await withAnn();
    const { authentication } = identity;
    const twelve = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 12 }, work));
    const signedIn = await twelve(() => authentication.signIn({ username: 'ann', password: 'a:b ü', address }));
    expect(new Set(signedIn.map(({ session }) => session.id)).size).toBe(12);
    const authorization = basic('ann', 'a:b ü');
    expect(await twelve(() => authentication.authenticate({ address, authorization }))).toEqual(
      Array(12).fill(expect.objectContaining({ user: 'ann' })),
    );
    for (let i = 0; i < 5; i++)
      await expect(authentication.signIn({ username: 'ann', password: `no ${i}`, address })).rejects.toThrow(
        UnauthenticatedError,
      );
    await expect(authentication.signIn({ username: 'ann', password: 'a:b ü', address })).rejects.toThrow(
      RateLimitedError,
    );
  });

  it('allows no more wrong passwords at once than in sequence', async () => {
    const { identity } = await withAnn();
    const tries = Array.from({ length: 12 }, (_, at) =>
      identity.authentication.signIn({ username: 'ann', password: `guess ${at}`, address }),
    );
    const refused = (await Promise.allSettled(tries)).filter(
      (each) => each.status === 'rejected' && each.reason instanceof RateLimitedError,
    );
    expect(refused.length).toBeGreaterThanOrEqual(7);
  });

  it('returns a new session id at each sign-in and ends the session it replaces', async () => {
    const { identity } = await withAnn();
    const signIn = { username: 'ann', password: 'a:b ü', address };
    const first = await identity.authentication.signIn(signIn);
    const second = await identity.authentication.signIn({ ...signIn, replaces: first.session.id });
    expect(second.session.id).not.toBe(first.session.id);
    expect(await identity.sessions.resolve(first.session.id)).toBeUndefined();
    expect(await identity.sessions.resolve(second.session.id)).toBeDefined();
  });

  it('answers a wrong password, an unknown user and an unknown tenant with the same error', async () => {
    const { identity } = await withAnn();
    const messages = new Set<string>();
    for (const username of ['ann', 'nobody', 'acme/ann', '/', ...HOSTILE_NAMES]) {
      const signIn = identity.authentication.signIn({ username, password: 'wrong', address });
      const error: unknown = await signIn.catch((thrown: unknown) => thrown);
      if (!(error instanceof UnauthenticatedError)) throw error;
      messages.add(error.message);
    }
    expect([...messages]).toEqual(['The user name or the password is wrong.']);
  });

  it('finds a user of another tenant by tenant/name', async () => {
    const { identity } = await withAnn();
    const acme = await identity.tenants.ensure('acme');
    await identity.users.add({ tenant: acme.id, name: 'ann', password: 'other' });
    const { caller } = await identity.authentication.signIn({ username: 'acme/ann', password: 'other', address });
    expect(caller.tenant).toBe(acme.id);
    const wrong = identity.authentication.signIn({ username: 'ann', password: 'other', address });
    await expect(wrong).rejects.toThrow(UnauthenticatedError);
  });

  it('identifies a caller by basic credentials, in UTF-8, with colons in the password', async () => {
    const { identity, tenant } = await withAnn();
    const caller = await identity.authentication.authenticate({ address, authorization: basic('ann', 'a:b ü') });
    expect(caller).toEqual({
      kind: 'user',
      via: 'basic',
      tenant,
      user: 'ann',
      roles: ['ROLE_USER'],
      attributes: {},
      isAccount: true,
    });
  });

  it('identifies a caller by API key, which takes precedence over a session', async () => {
    const { identity, tenant } = await withAnn();
    const { id, key } = await identity.apiKeys.create({ tenant, label: 'x' });
    const { session } = await identity.authentication.signIn({ username: 'ann', password: 'a:b ü', address });
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const authorization = `${scheme} ${key}`;
      const caller = await identity.authentication.authenticate({ address, authorization, sessionCookie: session.id });
      expect(caller).toMatchObject({ via: 'api-key', user: `api-key:${id}` });
    }
  });

  it('refuses invalid credentials in a header, and does not fall back to a session or an anonymous caller', async () => {
    const { identity } = await withAnn();
    const { session } = await identity.authentication.signIn({ username: 'ann', password: 'a:b ü', address });
    for (const authorization of [
      'Bearer service_wrong',
      `Bearer service_${'A'.repeat(43)}`,
      'Bearer',
      'Bearer ',
      basic('ann', 'wrong'),
      basic('', ''),
      basic('ann\u0000', 'a:b ü'),
      `Basic ${Buffer.from('no colon').toString('base64')}`,
      'Basic !!!',
      'Basic',
      'Digest username="ann"',
      'nonsense',
      ' ',
    ]) {
      const refused = identity.authentication.authenticate({ address, authorization, sessionCookie: session.id });
      await expect(refused, authorization).rejects.toThrow(UnauthenticatedError);
    }
  });

  it('locks a user out after five wrong passwords, by basic and by sign-in together, also with the right password', async () => {
    const { identity } = await withAnn();
    const { authentication } = identity;
    for (const wrong of ['1', '2', '3']) {
      const refused = authentication.authenticate({ address, authorization: basic('ann', wrong) });
      await expect(refused).rejects.toThrow(UnauthenticatedError);
    }
    for (const wrong of ['4', '5']) {
      const refused = authentication.signIn({ username: 'ann', password: wrong, address });
      await expect(refused).rejects.toThrow(UnauthenticatedError);
    }
    const right = authentication.signIn({ username: 'default/ann', password: 'a:b ü', address });
    await expect(right).rejects.toThrow(RateLimitedError);
    expect(await authentication.signIn({ username: 'ann', password: 'a:b ü', address: '192.0.2.2' })).toBeDefined();
  });

  it('a lockout applies on a second node', async () => {
    const one = await withAnn();
    const two = await node(state, { clock: one.clock });
    for (const wrong of ['1', '2', '3', '4', '5']) {
      await one.identity.authentication.signIn({ username: 'ann', password: wrong, address }).catch(() => undefined);
    }
    const right = two.identity.authentication.signIn({ username: 'ann', password: 'a:b ü', address });
    await expect(right).rejects.toThrow(RateLimitedError);
    two.clock.now += 15 * MINUTE;
    expect(await two.identity.authentication.signIn({ username: 'ann', password: 'a:b ü', address })).toBeDefined();
  });

  it('accepts many simultaneous requests with the same right header: they share one check', async () => {
    const { identity } = await withAnn();
    const authorization = basic('ann', 'a:b ü');
    const callers = await Promise.all(
      Array.from({ length: 30 }, () => identity.authentication.authenticate({ address, authorization })),
    );
    expect(new Set(callers.map((caller) => caller.kind === 'user' && caller.user))).toEqual(new Set(['ann']));
  });

  it('checks a basic password again only after a minute', async () => {
    const made = await withAnn();
    const { identity, tenant, clock } = made;
    let hashed = 0;
    const verify = identity.users.verify.bind(identity.users);
    identity.users.verify = (...rest) => {
      hashed++;
      return verify(...rest);
    };
    const call = () => identity.authentication.authenticate({ address, authorization: basic('ann', 'a:b ü') });
    await call();
    clock.now += MINUTE - 1;
    await call();
    expect(hashed).toBe(1);
    clock.now += 1;
    await call();
    expect(hashed).toBe(2);
    await identity.users.grant(tenant, 'ann', 'analyst');
    expect(await call()).toMatchObject({ roles: ['ROLE_USER', 'analyst'] });
    expect(hashed).toBe(2);
  });

  it('forgets a basic password at once when it is changed or the user is removed, also on another node', async () => {
    const one = await withAnn();
    const two = await node(state, { clock: one.clock });
    const call = () => one.identity.authentication.authenticate({ address, authorization: basic('ann', 'a:b ü') });
    await call();
    await two.identity.users.passwd(two.tenant, 'ann', 'new');
    await expect(call()).rejects.toThrow(UnauthenticatedError);
    await two.identity.users.passwd(two.tenant, 'ann', 'a:b ü');
    expect(await call()).toMatchObject({ user: 'ann' });
    await two.identity.users.remove(two.tenant, 'ann');
    await expect(call()).rejects.toThrow(UnauthenticatedError);
  });
});
