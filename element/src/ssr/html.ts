import { nothing } from 'lit';
import { isRecord } from '../api/json.ts';

/** Contains HTML that needs no escaping. */
export class RawHtml {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Collects the styles of single elements as rules of a style sheet: a policy that allows styles by a nonce refuses
 * `style` attributes.
 */
export class ElementStyles {
  readonly #names = new Map<string, string>();

  /** Returns the attribute, with a space before it, that gives an element these declarations. */
  attribute(declarations: string): string {
    const name = this.#names.get(declarations) ?? `s${this.#names.size}`;
    this.#names.set(declarations, name);
    return declarations === '' ? '' : ` data-style="${name}"`;
  }

  get rules(): string {
    return [...this.#names].map(([declarations, name]) => `[data-style=${name}]{${declarations}}`).join('');
  }
}

/**
 * Writes a Lit template as HTML. It supports only the template features of the element's views. It escapes text and
 * attributes; it omits listeners and properties, except `.style`, which becomes a rule of `styles`.
 */
export function renderHtml(value: unknown, styles: ElementStyles): string {
  if (value === undefined || value === null || value === nothing || value === '') return '';
  if (value instanceof RawHtml) return value.text;
  if (Array.isArray(value)) return value.map((each) => renderHtml(each, styles)).join('');
  if (!isTemplate(value)) return escapeHtml(String(value));
  const { strings, values } = value;
  let written = '';
  for (const [index, text] of strings.entries()) {
    const attribute = /\s([@.?]?)([\w-]+)=("?)([^"=<>]*)$/.exec(text);
    const given = values[index];
    const opened = attribute !== null && index < values.length && isInsideTag(written + text);
    if (!opened) {
      written += text + (index < values.length ? renderHtml(given, styles) : '');
      continue;
    }
    const [whole, sigil = '', name = '', quote = '', previous = ''] = attribute;
    const empty = given === nothing || given === undefined || given === null;
    if (quote !== '') {
      written += text + escapeHtml(empty ? '' : String(given));
      continue;
    }
    written += text.slice(0, text.length - whole.length);
    if (sigil === '.' && name === 'style') written += styles.attribute(empty ? '' : String(given));
    else if (sigil === '?' && given === true) written += ` ${name}`;
    else if (sigil === '' && !empty) written += ` ${name}="${previous}${escapeHtml(String(given))}"`;
  }
  return written;
}

/** Escapes a text for HTML, also between quotes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

interface Template {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

function isTemplate(value: unknown): value is Template {
  return isRecord(value) && Array.isArray(value.strings) && Array.isArray(value.values);
}

/** Returns whether this HTML ends inside a tag. The data in it is escaped. */
function isInsideTag(html: string): boolean {
  return html.lastIndexOf('<') > html.lastIndexOf('>');
}
