/** Minimum length of a password on a server that others can reach. */
const MIN_STRONG_PASSWORD_LENGTH = 12;

/** Minimum number of different characters in a password. */
const MIN_DISTINCT_CHARACTERS = 5;

/**
 * Well-known passwords of 12 and more characters, in lower case; shorter ones are weak anyway. Patterns find runs such
 * as `123456789012` and repetitions such as `passwordpassword`, which need no entry.
 */
const WELL_KNOWN: ReadonlySet<string> = new Set(
  `
  1q2w3e4r5t6y 1q2w3e4r5t6y7u8i 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc qazwsxedcrfv qazwsxedcrfvtgb zaq12wsxcde3
  qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiopasdf qwertyuiopasdfghjkl asdfghjkl123 asdfghjklqwerty zxcvbnm12345
  qwerty123456 qwerty1234567 qwerty12345678 123456qwerty 1234567890qwerty abc123456789 abcd12345678 a1b2c3d4e5f6
  123qweasdzxc 123qwe123qwe 1234qwerasdf qweasdzxc123 password1234 password12345 password123456 password1234567890
  password2020 password2021 password2022 password2023 password2024 password2025 password2026 passw0rd1234 p@ssw0rd1234
  p@ssword1234 p@ssw0rd2024 p@ssw0rd2025 p@ssw0rd2026 mypassword123 thisismypassword newpassword123 secretpassword
  supersecret123 supersecretpassword verysecretpassword changeme1234 changeme12345 changemeplease changemenow123
  pleasechangeme changethispassword changethisnow defaultpassword temppassword temporarypassword testpassword1
  testtesttest testpassword123 welcome12345 welcome123456 letmein12345 letmein123456 letmeinplease iloveyou1234
  iloveyou12345 iloveyousomuch administrator administrator1 administrator123 adminpassword adminadmin123 admin1234567
  admin12345678 admin123456789 superadmin123 rootpassword rootroot1234 servicepassword service12345 demopassword
  correcthorsebatterystaple correct-horse-battery-staple trustno1trustno1 mynameisnobody opensesame123 football12345
  baseball12345 princess12345 sunshine12345 superman12345 dragon123456 monkey123456 master123456 michael12345
  jesuschrist1 manchesterunited liverpoolfc1 unbelievable
  `
    .trim()
    .split(/\s+/),
);

/**
 * Explains why a password is too weak for a server that listens beyond this machine, as a clause that continues "it
 * …"; `undefined` when it is good enough. Compared in Unicode NFKC and lower case.
 */
export function weakPassword(password: string, username: string): string | undefined {
  const text = fold(password);
  const characters = [...text];
  if (characters.length < MIN_STRONG_PASSWORD_LENGTH) return `has fewer than ${MIN_STRONG_PASSWORD_LENGTH} characters`;
  const name = fold(username);
  if (name !== '' && text.replaceAll(name, '').length === 0) return 'is the user name';
  if (WELL_KNOWN.has(text)) return 'is a well-known password';
  if (isRepetition(text)) return 'repeats one word';
  if (isRun(characters)) return 'is a run of neighbouring characters';
  if (new Set(characters).size < MIN_DISTINCT_CHARACTERS)
    return `has fewer than ${MIN_DISTINCT_CHARACTERS} different characters`;
  return undefined;
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Returns whether a text repeats a part of itself: its double without the first and last character then contains it. */
function isRepetition(text: string): boolean {
  return (text + text).slice(1, -1).includes(text);
}

/** Returns whether each character is one above (or each one below) the one before it; after 9 comes 0. */
function isRun(characters: readonly string[]): boolean {
  const steps = characters.slice(1).map((character, index) => {
    const before = characters[index] ?? '';
    if (before === '9' && character === '0') return 1;
    if (before === '0' && character === '9') return -1;
    return (character.codePointAt(0) ?? 0) - (before.codePointAt(0) ?? 0);
  });
  return steps.every((step) => step === 1) || steps.every((step) => step === -1);
}
