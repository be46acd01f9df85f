/** Texts that name a field of a request: with its grain, and with the relationships that it is reached along. */
import { grainName } from './grain.ts';
import type { FieldInRole } from './resolved-query.ts';

/** Separates relationships in a `via` of one text, and in column keys. */
export const VIA_SEPARATOR = '/';

/** Returns the key of a field in records, sorts and messages: `airports.city`, `airports.city@flight_origin`. */
export function fieldKey({ field, via, grain }: FieldInRole): string {
  return `${field.dataset}.${field.name}${grainSuffix(grain === undefined || grain.isImplied === true ? undefined : grainName(grain))}${viaSuffix(via)}`;
}

/** Returns the name of the hidden column with the text by which another answer finds the group. */
export function collatedColumn(group: number): string {
  return `service_text_${group}`;
}

/** Returns the part of a field's key for a grain. */
export function grainSuffix(grain: string | undefined): string {
  return grain === undefined ? '' : `.${grain}`;
}

/** Returns the part of a field's key for a `via`. */
export function viaSuffix(via: readonly string[]): string {
  return via.length === 0 ? '' : `@${via.join(VIA_SEPARATOR)}`;
}
