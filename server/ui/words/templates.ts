import { type LocaleModule, str } from '@lit/localize';
import { generateMsgId } from '@lit/localize/internal/id-generation.js';
import { html } from 'lit';

/** A file of words: the English text, with `{0}` for the first value, to the text of the language. */
export type Translations = Readonly<Record<string, string>>;

const PLACE = /\{(\d+)\}/;

/**
 * Makes the templates of a language. A text with a tag, such as `Open <b>{0}</b>`, belongs to `msg(html`…`)`, any other to `msg('…')` or
 * `msg(str`…`)`.
 */
export function toTemplates(translations: Translations): LocaleModule['templates'] {
  return Object.fromEntries(
    Object.entries(translations).map(([source, translation]) => {
      const isHtml = source.includes('<');
      const id = generateMsgId(splitText(source).parts, isHtml);
      const { parts, places } = splitText(translation);
      if (isHtml) return [id, html(toStrings(parts), ...places)];
      return [id, places.length === 0 ? translation : str(toStrings(parts), ...places)];
    }),
  );
}

/** Splits `{0} of {1}` into the texts around the values and the places of the values. */
function splitText(text: string): { readonly parts: string[]; readonly places: readonly number[] } {
  const pieces = text.split(PLACE);
  return {
    parts: pieces.filter((_, index) => index % 2 === 0),
    places: pieces.filter((_, index) => index % 2 === 1).map(Number),
  };
}

function toStrings(parts: readonly string[]): TemplateStringsArray {
  return Object.assign([...parts], { raw: parts });
}
