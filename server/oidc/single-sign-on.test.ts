import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { onEveryEngine } from '../state/testing/engines.ts';
import { Browser } from './testing/browser.ts';
import { configOf, openPort, type SignOnNode, serveNode } from './testing/node.ts';
import { startProvider, type TestProvider } from './testing/provider.ts';

let folder: string;
let port: Awaited<ReturnType<typeof openPort>>;
let url: string;
let provider: TestProvider;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-oidc-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>home</title>');
  port = await openPort('127.0.0.1', 0);
  url = `http://127.0.0.1:${port.port}`;
  provider = await startProvider(`${url}/login/oidc/callback`, []);
  provider.people.set('sub-ann', { preferred_username: 'ann', roles: ['bi-admins'], org: 'acme' });
  provider.people.set('sub-bob', { preferred_username: 'bob', org: 'nowhere' });
  provider.people.set('sub-evil', { preferred_username: 'Admin', roles: ['bi-admins'] });
});
afterAll(async () => {
  await port.stop(0);
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

onEveryEngine((state) => {
  let node: SignOnNode;
  let clock: { now: number };
  const serve = (others: Partial<Record<string, string>> = {}) =>
    serveNode(state, port, { config: configOf(provider.issuer, url, others), folder, clock: () => clock.now });
  const ROLES = { 'service.oidc.roles': 'bi-admins=ROLE_ADMIN' };

  beforeEach(async () => {
    clock = { now: Date.now() };
    provider.person = 'sub-ann';
    provider.isDown = false;
    provider.idTokens = 'right';
    node = await serve(ROLES);
  });

  const session = async (browser: Browser) => (await browser.fetch(new URL(`${url}/rest/service/api/session`))).json();
  /** Takes a browser to the provider and back, up to the callback address. */
  const atTheDoor = async (address = `${url}/login/oidc`) => {
    const browser = new Browser();
    const { url: back } = await browser.go(address, (next) => next.pathname === '/login/oidc/callback');
    return { browser, back };
  };
  const refusal = ({ url: landed }: { readonly url: URL }) => `${landed.pathname}${landed.search}`;

  it("signs a user in with the provider's roles, and redirects to the page", async () => {
    const browser = new Browser();
    const landed = await browser.go(`${url}/login/oidc?next=${encodeURIComponent('/ui/?tab=share#x')}`);
    expect(landed.url.pathname + landed.url.search).toBe('/ui/?tab=share');
    expect(await session(browser)).toEqual({
      user: 'ann',
      tenant: 'default',
      roles: ['ROLE_USER', 'ROLE_ADMIN'],
      administrator: true,
    });
    expect([...browser.cookiesOf(url).keys()].sort()).toEqual(['SERVICE_SESSION', 'XSRF-TOKEN']);
  });

  it('updates the roles at the next sign-in, also for existing sessions', async () => {
    const first = new Browser();
    await first.go(`${url}/login/oidc`);
    provider.people.set('sub-ann', { preferred_username: 'ann.married', roles: [] });
    await new Browser().go(`${url}/login/oidc`);
    provider.people.set('sub-ann', { preferred_username: 'ann', roles: ['bi-admins'], org: 'acme' });
    expect(await session(first)).toMatchObject({ user: 'ann', roles: ['ROLE_USER'], administrator: false });
    expect(await node.identity.users.list()).toHaveLength(1);
  });

  it('creates one account for two simultaneous first sign-ins', async () => {
    const doors = await Promise.all([atTheDoor(), atTheDoor(), atTheDoor()]);
    const landed = await Promise.all(doors.map(({ browser, back }) => browser.go(back)));
    expect(landed.map(refusal)).toEqual(['/ui/', '/ui/', '/ui/']);
    expect(await node.identity.users.list()).toHaveLength(1);
  });

  it("does not give a user another user's account of the same name", async () => {
    const tenant = await node.identity.tenants.ensure('default');
    await node.identity.users.add({
      tenant: tenant.id,
      name: 'admin',
      password: 'Quarry-lantern-77',
      roles: ['ROLE_ADMIN'],
    });
    provider.person = 'sub-evil';
    expect(refusal(await new Browser().go(`${url}/login/oidc`))).toBe('/ui/?sign-in=name_taken');
  });

  it('accepts ID tokens with a new key a minute after it read the old keys', async () => {
    await new Browser().go(`${url}/login/oidc`);
    await provider.rotateKey();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    try {
      expect(refusal(await new Browser().go(`${url}/login/oidc`))).toBe('/ui/');
    } finally {
      vi.useRealTimers();
    }
  });

  it('those accounts have no password', async () => {
    await new Browser().go(`${url}/login/oidc`);
    for (const password of ['', ' ', 'null', 'ann']) {
      const response = await fetch(`${url}/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ username: 'ann', password }),
      });
      expect(response.status).toBe(password === '' ? 400 : 401);
    }
  });

  it('assigns users to the tenant of a claim, and to no other', async () => {
    node = await serve({ ...ROLES, 'service.oidc.tenantClaim': 'org' });
    await node.identity.tenants.ensure('acme');
    const browser = new Browser();
    await browser.go(`${url}/login/oidc`);
    expect(await session(browser)).toMatchObject({ user: 'ann', tenant: 'acme' });
    provider.person = 'sub-bob';
    expect(refusal(await new Browser().go(`${url}/login/oidc`))).toBe('/ui/?sign-in=no_tenant');
    await node.identity.tenants.ensure('globex');
    provider.people.set('sub-ann', { preferred_username: 'ann', org: 'globex' });
    provider.person = 'sub-ann';
    expect(refusal(await new Browser().go(`${url}/login/oidc`))).toBe('/ui/?sign-in=other_tenant');
    provider.people.set('sub-ann', { preferred_username: 'ann', roles: ['bi-admins'], org: 'acme' });
  });

  it('finishes on one node a sign-in that began on another', async () => {
    const { browser, back } = await atTheDoor();
    await serve(ROLES);
    await browser.go(back);
    expect(await session(browser)).toMatchObject({ user: 'ann' });
  });

  it("ends the browser's earlier session", async () => {
    const browser = new Browser();
    await browser.go(`${url}/login/oidc`);
    const before = browser.cookiesOf(url).get('SERVICE_SESSION') ?? '';
    await browser.go(`${url}/login/oidc`);
    expect(browser.cookiesOf(url).get('SERVICE_SESSION')).not.toBe(before);
    expect(await node.identity.sessions.resolve(before)).toBeUndefined();
  });

  describe('refuses a sign-in', () => {
    it('in another browser than the one that started it', async () => {
      const { back } = await atTheDoor();
      const victim = new Browser();
      expect(refusal(await victim.go(back))).toBe('/ui/?sign-in=expired');
      expect(victim.cookiesOf(url).size).toBe(0);
    });

    it('with the answer to another sign-in of the same browser', async () => {
      const { browser, back } = await atTheDoor();
      const other = await atTheDoor();
      back.searchParams.set('code', other.back.searchParams.get('code') ?? '');
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=rejected');
    });

    it('with the same answer twice', async () => {
      const { browser, back } = await atTheDoor();
      const kept = new Map(browser.cookiesOf(url));
      await browser.go(back);
      const again = new Browser();
      for (const [name, value] of kept) again.cookiesOf(url).set(name, value);
      expect(refusal(await again.go(back))).toBe('/ui/?sign-in=rejected');
    });

    it('after ten minutes', async () => {
      const { browser, back } = await atTheDoor();
      clock.now += 600_000;
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=expired');
    });

    it('with a changed cookie', async () => {
      const { browser, back } = await atTheDoor();
      for (const [name, value] of browser.cookiesOf(url)) browser.cookiesOf(url).set(name, `${value.slice(0, -2)}AA`);
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=expired');
    });

    it('with an ID token that another key has signed', async () => {
      const { browser, back } = await atTheDoor();
      provider.idTokens = 'of another key';
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=rejected');
      expect(browser.cookiesOf(url).has('SERVICE_SESSION')).toBe(false);
      expect(await node.identity.users.list()).toEqual([]);
    });

    it('with an ID token whose claims were changed after signing', async () => {
      const { browser, back } = await atTheDoor();
      provider.idTokens = 'changed';
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=rejected');
    });

    it('with an ID token without a signature', async () => {
      const { browser, back } = await atTheDoor();
      provider.idTokens = 'unsigned';
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=rejected');
    });

    it('that the user cancelled', async () => {
      provider.person = undefined;
      expect(refusal(await new Browser().go(`${url}/login/oidc`))).toBe('/ui/?sign-in=denied');
    });

    it('while the provider is down, with that reason', async () => {
      const { browser, back } = await atTheDoor();
      provider.isDown = true;
      expect(refusal(await browser.go(back))).toBe('/ui/?sign-in=unavailable');
      node = await serve(ROLES);
      expect(refusal(await new Browser().go(`${url}/login/oidc`))).toBe('/ui/?sign-in=unavailable');
      const ways = await fetch(`${url}/login/ways?refusal=unavailable`);
      expect(await ways.json()).toMatchObject({ refusal: expect.stringContaining('cannot be reached') });
    });
  });

  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/.//evil.example/',
    '/./\\evil.example/',
    '/ui/..//evil.example/',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    '/%0d%0aX: y',
  ])('never redirects to another site: %j', async (next) => {
    const { browser, back } = await atTheDoor(`${url}/login/oidc?next=${encodeURIComponent(next)}`);
    const { headers } = await browser.fetch(back);
    const location = new URL(headers.get('location') ?? '', url);
    expect(location.origin).toBe(url);
    expect(headers.get('set-cookie')).toContain('SERVICE_SESSION=');
  });

  it('lists for pages how users sign in', async () => {
    const ways = await fetch(`${url}/login/ways`);
    expect(await ways.json()).toEqual({ singleSignOn: { label: 'single sign-on', path: '/login/oidc' } });
    const unknown = await fetch(`${url}/login/ways?refusal=constructor`);
    expect(Object.keys((await unknown.json()) as object)).toEqual(['singleSignOn']);
  });
});
