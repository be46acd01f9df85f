/** The annotations of a cube schema that this surface reads: `service.semantic.*` on measures, levels and what holds them. */
import { jsonOrUndefined } from '../../../router/json.ts';
import type { Described } from '../schema/model.ts';

export interface Annotations {
  readonly description: string | undefined;
  readonly synonyms: readonly string[];
  /** Of a measure: what `.unit` or `.currency` says. */
  readonly unit: string | undefined;
  readonly aggregationKind: string | undefined;
  readonly cardinality: string | undefined;
  readonly grain: string | undefined;
  /** Levels or dimensions without a choice of which the measure says nothing. */
  readonly requiredFilters: readonly string[];
  /** Personal data: it is in no answer, and nobody can name it. */
  readonly pii: boolean;
  /** True when the author has stated or denied it, so that no suggestion is needed. */
  readonly piiStated: boolean;
}

const PREFIX = 'service.semantic.';

export function annotationsOf({
  annotations,
  description,
}: Pick<Described, 'annotations' | 'description'>): Annotations {
  const byName = new Map([...annotations].map(([name, value]) => [name.trim().toLowerCase(), value.trim()]));
  const text = (name: string) => byName.get(PREFIX + name) || undefined;
  const pii = text('pii');
  return {
    description: text('description') ?? description,
    synonyms: list(text('synonyms')),
    unit: text('unit') ?? text('currency'),
    aggregationKind: text('aggregation_kind'),
    cardinality: text('cardinality'),
    grain: text('grain'),
    requiredFilters: list(text('required_filters')),
    // Whatever is no plain denial counts as a yes, so that a slip of the pen hides rather than shows.
    pii: pii !== undefined && !/^(false|no|0)$/i.test(pii),
    piiStated: pii !== undefined,
  };
}

/** Reads a list: `a, b`, or a JSON array of texts. */
function list(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const written = text.startsWith('[') ? (jsonTexts(text) ?? text.split(',')) : text.split(/[,;]/);
  return [...new Set(written.map((each) => each.trim()).filter((each) => each !== ''))];
}

function jsonTexts(text: string): readonly string[] | undefined {
  // A unique name in brackets begins as a list of JSON does.
  const value = jsonOrUndefined(text);
  return Array.isArray(value) ? value.map(String) : undefined;
}
