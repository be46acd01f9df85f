import { parseOptions, verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { RateLimitedError } from '../../router/errors.ts';
import { OWASP_COST, PasswordHashing } from './password-hashing.ts';
import { equalInConstantTime, generatePassword, isRandomSecret, randomSecret } from './secrets.ts';
import { CHEAP } from './testing/fixture.ts';

describe('PasswordHashing', () => {
  it('uses argon2id with 19 MiB, two passes and one lane, as OWASP recommends', async () => {
    const hashed = await new PasswordHashing().hash('p');
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verify(hashed, 'p')).toBe(true);
  });

  it('uses a salt: the same password has two hashes', async () => {
    const hashing = new PasswordHashing(CHEAP);
    expect(await hashing.hash('p')).not.toBe(await hashing.hash('p'));
  });

  it('refuses a password without a stored hash, in the time of a wrong password', async () => {
    const hashing = new PasswordHashing(OWASP_COST);
    const stored = await hashing.hash('p');
    // Processor time, because other processes would delay one of the two more than the other.
    const median = async (hash: string | undefined): Promise<number> => {
      const times: number[] = [];
      for (let i = 0; i < 9; i++) {
        const start = process.cpuUsage();
        expect(await hashing.verify(hash, 'wrong')).toBe(false);
        const { user, system } = process.cpuUsage(start);
        times.push(user + system);
      }
      return times.sort((a, b) => a - b)[4] ?? 0;
    };
    const [unknown, wrong] = [await median(undefined), await median(stored)];
    // Without a hash computation the refusal would be a hundred times faster.
    expect(unknown).toBeGreaterThan(wrong / 3);
    expect(unknown).toBeLessThan(wrong * 3);
  });

  it('hashes no password beyond the maximum length', async () => {
    const hashing = new PasswordHashing(CHEAP);
    expect(await hashing.verify(await hashing.hash(''), 'x'.repeat(1_025))).toBe(false);
  });

  it.each([
    ['$argon2id$v=19$m=8192,t=2,p=1$', true],
    ['$argon2id$v=19$m=19456,t=1,p=1$', true],
    ['$argon2i$v=19$m=19456,t=2,p=1$', true],
    ['$argon2id$v=19$m=19456,t=2,p=1$', false],
    ['$argon2id$v=19$m=65536,t=3,p=4$', false],
  ])('decides whether %s is outdated: %s', (start, outdated) => {
    const stored = `${start}c29tZXNhbHRzb21lc2FsdA$RKKTO6IhQGNEoKCCOSdsxmXTKC5Iw5dG3yq8X+h+aZk`;
    expect(parseOptions(stored).timeCost).toBeGreaterThan(0);
    expect(new PasswordHashing(OWASP_COST).isOutdated(stored)).toBe(outdated);
  });

  it('refuses computations beyond the limit, and recovers', async () => {
    const hashing = new PasswordHashing({ ...CHEAP, memoryCost: 4_096 });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => hashing.hash('p')));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(100 - 2 - 64);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(RateLimitedError);
    expect(await hashing.hash('p')).toMatch(/^\$argon2id/);
  });
});

describe('secrets', () => {
  it('are equal only to themselves, whatever the lengths', () => {
    const secret = randomSecret();
    expect(equalInConstantTime(secret, secret)).toBe(true);
    for (const other of ['', secret.slice(1), `${secret}x`, randomSecret(), 'é'.repeat(43)]) {
      expect(equalInConstantTime(secret, other)).toBe(false);
    }
  });

  it('have 256 bits and do not repeat', () => {
    const secrets = Array.from({ length: 1_000 }, randomSecret);
    expect(secrets.every(isRandomSecret)).toBe(true);
    expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length === 32)).toBe(true);
    expect(new Set([...secrets, ...Array.from({ length: 1_000 }, generatePassword)]).size).toBe(2_000);
  });
});
