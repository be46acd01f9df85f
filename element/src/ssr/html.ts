import { nothing } from 'lit';
import { isRecord } from '../read/json.ts';

/**
 * Writes a Lit template as HTML: what the views of the element use of templates, and no more. Text and attributes are
 * escaped; listeners and properties are left to the browser, but for `.style`, which stands as an attribute.
 */
export function htmlOf(value: unknown): string {
  if (value === undefined || value === null || value === nothing || value === '') return '';
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (!isTemplate(value)) return escaped(String(value));
  const { strings, values } = value;
  let written = '';
  for (const [index, text] of strings.entries()) {
    const attribute = /\s([@.?]?)([\w-]+)=("?)([^"=<>]*)$/.exec(text);
    const given = values[index];
    const opened = attribute !== null && index < values.length && insideTag(written + text);
    if (!opened) {
      written += text + (index < values.length ? htmlOf(given) : '');
      continue;
    }
    const [whole, sigil = '', name = '', quote = '', before = ''] = attribute;
    const kept = sigil === '' || (sigil === '.' && name === 'style');
    const empty = given === nothing || given === undefined || given === null;
    if (quote !== '') written += text + escaped(empty ? '' : String(given));
    else {
      written += text.slice(0, text.length - whole.length);
      if (kept && !(empty && sigil === '')) written += ` ${name}="${before}${escaped(empty ? '' : String(given))}"`;
    }
  }
  return written;
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

interface Template {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
}

function isTemplate(value: unknown): value is Template {
  return isRecord(value) && Array.isArray(value.strings) && Array.isArray(value.values);
}

/** Whether the end of this HTML stands between the name of a tag and its closing bracket. Data in it is escaped. */
function insideTag(html: string): boolean {
  return html.lastIndexOf('<') > html.lastIndexOf('>');
}
