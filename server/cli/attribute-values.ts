/** Reads the values of an attribute from the command line. */
import { type AttributeValue, isAttributeName } from '../../router/capabilities/attributes.ts';
import { UsageError } from './option-values.ts';

export interface AttributeOptions {
  readonly number?: true;
  readonly boolean?: true;
  readonly remove?: true;
}

/**
 * Returns the values; `undefined` to remove the attribute.
 *
 * @throws UsageError for values that do not fit the options, and for a name that no attribute can have
 */
export function attributeValues(
  attribute: string,
  texts: readonly string[],
  options: AttributeOptions,
): readonly AttributeValue[] | undefined {
  if (!isAttributeName(attribute))
    throw new UsageError(
      'The name of an attribute has 1 to 64 letters, digits, _ and -, and begins with a letter or _.',
    );
  if (options.number && options.boolean) throw new UsageError('Give --number or --boolean, not both.');
  if (options.remove) {
    if (texts.length > 0) throw new UsageError('Give values or --remove, not both.');
    return undefined;
  }
  return texts.map((text) => {
    if (options.number) return numberOf(text);
    return options.boolean ? booleanOf(text) : text;
  });
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new UsageError(`${text} is not a number.`);
  return value;
}

function booleanOf(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new UsageError(`${text} is neither true nor false.`);
  return text === 'true';
}

/** Reports what the command did. */
export function attributeSentence(
  name: string,
  attribute: string,
  values: readonly AttributeValue[] | undefined,
): string {
  if (values === undefined) return `${name} has no attribute ${attribute} any more.`;
  return `${name} has ${attribute}: ${values.length === 0 ? 'no value, so no filtered row' : values.join(', ')}.`;
}
