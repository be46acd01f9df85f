import { expect, it } from 'vitest';
import { weakPassword } from './password-policy.ts';
import { generatePassword } from './secrets.ts';

it.each([
  ['', /fewer than 12/],
  ['admin', /fewer than 12/],
  ['elevenchars', /fewer than 12/],
  ['changeme1234', /well-known/],
  ['CorrectHorseBatteryStaple', /well-known/],
  ['Ｐａｓｓｗｏｒｄ１２３４', /well-known/], // Full-width letters, which NFKC converts to plain ones.
  ['passwordpassword', /repeats/],
  ['aaaaaaaaaaaaaaaa', /repeats/],
  ['123456789012', /run of neighbouring/],
  ['abcdefghijklmnop', /run of neighbouring/],
  ['zyxwvutsrqponm', /run of neighbouring/],
  ['aabbaabbccbaabb', /different characters/],
  ['Ann.Miller@shop.example', /user name/],
] as const)('calls %j weak', (password, why) => {
  expect(weakPassword(password, 'ann.miller@shop.example')).toMatch(why);
});

it.each(['seven red herrings', 'k3Ym-93xW-qq1T', 'дванадцять слів тут', generatePassword()])(
  'accepts %j',
  (password) => {
    expect(weakPassword(password, 'ann')).toBeUndefined();
  },
);

it('counts characters, not UTF-16 units', () => {
  expect(weakPassword('🦊🐻🐼🐨🐯🦁', 'ann')).toMatch(/fewer than 12/);
});
