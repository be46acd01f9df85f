import { describe, expect, it } from 'vitest';
import { type ClaimRules, externalIdentity } from './claims.ts';

const RULES: ClaimRules = {
  user: undefined,
  roles: 'roles',
  roleOf: new Map([['bi-admins', 'ROLE_ADMIN']]),
  tenant: undefined,
  tenantOf: new Map(),
  attributes: new Map([['regions', 'sales.regions']]),
};

describe('the name of a user', () => {
  it.each([
    ['preferred_username', { preferred_username: 'ann', email: 'ann@corp.com' }, 'ann'],
    ['the address where there is no user name', { email: 'ann@corp.com' }, 'ann@corp.com'],
    [
      'the address where the user name cannot be one',
      { preferred_username: 'Ann Lee', email: 'ann@corp.com' },
      'ann@corp.com',
    ],
    ['the client of a program', { client_id: 'nightly-export' }, 'nightly-export'],
    ['the subject at last', {}, 's-1'],
  ])('is %s', (_name, claims, expected) => {
    expect(externalIdentity({ sub: 's-1', ...claims }, RULES).name).toBe(expected);
  });

  it('is the claim in the settings, and no other claim', () => {
    const rules = { ...RULES, user: 'upn' };
    expect(externalIdentity({ sub: 's-1', upn: 'ann.l', email: 'ann@corp.com' }, rules).name).toBe('ann.l');
    expect(() => externalIdentity({ sub: 's-1', email: 'ann@corp.com' }, rules)).toThrow(
      /has no name that can be used/,
    );
  });

  it.each(['..', 'a/b', '', 7, null, ['ann'], 'x'.repeat(65)])('is refused when it is %j', (upn) => {
    expect(() => externalIdentity({ sub: 's-1', upn }, { ...RULES, user: 'upn' })).toThrow(/no name/);
  });
});

describe('roles', () => {
  it.each([
    ['a list', { roles: ['bi-admins', 'other'] }],
    ['one text', { roles: 'bi-admins' }],
    ['words', { roles: 'other bi-admins' }],
    ['words with commas', { roles: 'other,bi-admins' }],
  ])('are read from %s, as the settings name it', (_name, claims) => {
    expect(externalIdentity({ sub: 's', ...claims }, RULES).roles).toEqual(['ROLE_USER', 'ROLE_ADMIN']);
  });

  it('are read from objects, and from names that contain dots', () => {
    const inside = { sub: 's', realm_access: { roles: ['bi-admins'] } };
    expect(externalIdentity(inside, { ...RULES, roles: 'realm_access.roles' }).roles).toContain('ROLE_ADMIN');
    const dotted = { sub: 's', 'https://corp.com/roles': ['bi-admins'] };
    expect(externalIdentity(dotted, { ...RULES, roles: 'https://corp.com/roles' }).roles).toContain('ROLE_ADMIN');
  });

  it.each([
    ['a role of ours that the provider names by itself', { roles: ['ROLE_ADMIN'] }],
    ['an object', { roles: { 'bi-admins': true } }],
    ['numbers', { roles: [1] }],
    ['nothing', {}],
    ['a name of every object', { roles: ['constructor', '__proto__'] }],
  ])('are only ROLE_USER for %s', (_name, claims) => {
    expect(externalIdentity({ sub: 's', ...claims }, RULES).roles).toEqual(['ROLE_USER']);
  });
});

describe('the tenant', () => {
  it('is the default one without a claim', () => {
    expect(externalIdentity({ sub: 's', org: 'acme' }, RULES).tenant).toBe('default');
  });

  it('is the value of the claim, or its mapping in the settings', () => {
    expect(externalIdentity({ sub: 's', org: 'acme' }, { ...RULES, tenant: 'org' }).tenant).toBe('acme');
    const mapped = { ...RULES, tenant: 'org', tenantOf: new Map([['org_1', 'acme']]) };
    expect(externalIdentity({ sub: 's', org: 'org_1' }, mapped).tenant).toBe('acme');
    expect(() => externalIdentity({ sub: 's', org: 'acme' }, mapped)).toThrow(/belongs to no tenant/);
  });

  it.each([{}, { org: ['acme'] }, { org: null }, { org: 1 }])('is missing for %j', (claims) => {
    expect(() => externalIdentity({ sub: 's', ...claims }, { ...RULES, tenant: 'org' })).toThrow(
      /belongs to no tenant/,
    );
  });
});

it('an identity without a subject is refused', () => {
  expect(() => externalIdentity({ preferred_username: 'ann' }, RULES)).toThrow(/cannot be used/);
  expect(() => externalIdentity({ sub: '' }, RULES)).toThrow(/cannot be used/);
});

describe('the attributes of a user', () => {
  const attributesOf = (sales: unknown) =>
    externalIdentity({ sub: 's', preferred_username: 'ann', sales }, RULES).attributes;

  it('are the values of their claim: one, or a list', () => {
    expect(attributesOf({ regions: ['South', 'North', 'South'] })).toEqual({ regions: ['South', 'North'] });
    expect(attributesOf({ regions: 'South, and more' })).toEqual({ regions: ['South, and more'] });
    expect(attributesOf({ regions: 7 })).toEqual({ regions: [7] });
  });

  it('are none where the claim has another form, and removed where it is absent', () => {
    expect(attributesOf({ regions: [{ name: 'South' }] })).toEqual({ regions: [] });
    expect(attributesOf({ regions: ['x'.repeat(257)] })).toEqual({ regions: [] });
    expect(attributesOf({})).toEqual({ regions: undefined });
  });
});
