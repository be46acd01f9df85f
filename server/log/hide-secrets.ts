/** Hides secrets in log entries, at any place and in any encoding. */

const MASK = '[hidden]';
/** Minimum length of a secret; hiding shorter texts would damage every entry. */
const MIN_LENGTH = 4;
/** Length below which secrets are hidden only as whole words: `test` is a password and a syllable. */
const MIN_LENGTH_ANYWHERE = 8;
/** Number of a secret's base64 characters that must match, so that no other text is hidden. */
const MIN_BASE64_LENGTH = 6;
/** Maximum number of secrets; beyond it the older half is removed. */
const MAX_TEXTS = 4_000;
/** Number of characters in the index of forms, and number of values of their hash. */
const START = MIN_LENGTH;
const HASHES = 2 ** 16;
/** Members of an entry that the log itself writes. */
const OWN_MEMBERS: ReadonlySet<string> = new Set(['level', 'time']);

/** The secrets that are hidden in all entries. */
export class HiddenTexts {
  readonly #texts = new Set<string>();
  #forms = new FormIndex();

  add(texts: Iterable<string>): void {
    for (const text of texts) {
      if (text.length < MIN_LENGTH || this.#texts.has(text)) continue;
      this.#texts.add(text);
      this.#forms.add(text);
    }
    if (this.#texts.size > MAX_TEXTS) this.#forgetOldest();
  }

  /** Returns a log entry, which is a line of JSON, with a mask in place of each secret. */
  redact(line: string): string {
    if (this.#texts.size === 0 || this.#forms.replace(line) === line) return line;
    const entry: unknown = JSON.parse(line);
    return `${JSON.stringify(redacted(entry, this.#forms, OWN_MEMBERS))}\n`;
  }

  #forgetOldest(): void {
    const newest = [...this.#texts].slice(-MAX_TEXTS / 2);
    this.#texts.clear();
    this.#forms = new FormIndex();
    this.add(newest);
  }
}

/** Replaces secrets in every text of a value, also in names of members, so that its JSON stays valid. */
function redacted(value: unknown, secrets: FormIndex, kept?: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return secrets.replace(value);
  if (Array.isArray(value)) return value.map((each) => redacted(each, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) =>
      kept?.has(name) === true ? [name, member] : [secrets.replace(name), redacted(member, secrets)],
    ),
  );
}

interface Form {
  readonly text: string;
  /** True if it is replaced inside of a word, too. */
  readonly isAnywhere: boolean;
}

/**
 * All forms of all secrets by their first four characters. A text is scanned once, with one look into a bit table for each character, for any number
 * of secrets (Rabin and Karp, 1987).
 */
class FormIndex {
  readonly #byStart = new Map<string, Form[]>();
  readonly #isStart = new Uint8Array(HASHES);

  add(secret: string): void {
    const isAnywhere = secret.length >= MIN_LENGTH_ANYWHERE;
    for (const form of formsOf(secret)) {
      this.#put({ text: form, isAnywhere });
      // In the line of the entry every text is encoded as JSON once more.
      this.#put({ text: inJson(form), isAnywhere });
    }
    for (const part of base64Of(secret)) this.#put({ text: part, isAnywhere: true });
  }

  #put(form: Form): void {
    const start = form.text.slice(0, START);
    const forms = this.#byStart.get(start) ?? [];
    if (forms.some(({ text }) => text === form.text)) return;
    // The longest form comes first: a secret that begins with another one is replaced completely.
    forms.push(form);
    forms.sort((one, other) => other.text.length - one.text.length);
    this.#byStart.set(start, forms);
    this.#isStart[hashAt(start, 0)] = 1;
  }

  /** Returns a text with the mask in place of each form in it. */
  replace(text: string): string {
    let replaced = '';
    let kept = 0;
    for (let at = 0; at <= text.length - START; at++) {
      if (this.#isStart[hashAt(text, at)] === 0) continue;
      const form = this.#byStart.get(text.slice(at, at + START))?.find((each) => stands(each, text, at));
      if (form === undefined) continue;
      replaced += text.slice(kept, at) + MASK;
      kept = at + form.text.length;
      at = kept - 1;
    }
    return kept === 0 ? text : replaced + text.slice(kept);
  }
}

function hashAt(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + START; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) & (HASHES - 1);
  return hash;
}

function stands({ text: form, isAnywhere }: Form, text: string, at: number): boolean {
  if (!text.startsWith(form, at)) return false;
  return isAnywhere || !(isWord(text[at - 1]) || isWord(text[at + form.length]));
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9]/.test(character);
}

/** Returns a text as it appears between the quotes of JSON. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Returns the encodings of a text in messages: plain, in JSON, in nested JSON, in addresses, in XML. */
function formsOf(text: string): readonly string[] {
  const inUrls = [encodeURI, encodeURIComponent, inForm].map((encode) => encode(wellFormed(text)));
  const inXml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return [
    text,
    inJson(text),
    inJson(inJson(text)),
    ...inUrls,
    ...inUrls.map((form) => form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())),
    inXml,
    inXml.replaceAll("'", '&apos;'),
    inXml.replaceAll("'", '&#39;'),
  ];
}

/** Replaces unpaired surrogates, which no address can contain. */
function wellFormed(text: string): string {
  return text.replace(/[\uD800-\uDFFF]/gu, '\uFFFD');
}

function inForm(text: string): string {
  return new URLSearchParams({ '': text }).toString().slice(1);
}

/**
 * Returns the parts of a text's base64 that do not depend on the surrounding text, such as the user name of HTTP basic: the characters with six bits
 * of the text, for each of the three byte alignments.
 */
function base64Of(text: string): readonly string[] {
  const bytes = Buffer.from(text, 'utf8');
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const first = Math.ceil((before * 8) / 6);
    const end = Math.floor(((before + bytes.length) * 8) / 6);
    const part = encoded.slice(first, end);
    if (part.length < MIN_BASE64_LENGTH) return [];
    return [part, encodeURIComponent(part), part.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
