/** The elements of a semantic document (OSI 0.1.1), and its YAML. */
import { Document, isCollection, isScalar, visit } from 'yaml';

export interface OsiExpression {
  readonly dialects: readonly { readonly dialect: string; readonly expression: string }[];
}

export interface OsiExtension {
  readonly vendor_name: string;
  /** JSON. */
  readonly data: string;
}

interface OsiElement {
  readonly name: string;
  readonly description?: string;
  readonly ai_context?: { readonly synonyms: readonly string[] };
  readonly custom_extensions?: readonly OsiExtension[];
}

export interface OsiField extends OsiElement {
  readonly label?: string;
  readonly expression: OsiExpression;
  readonly dimension?: { readonly is_time: boolean };
}

export interface OsiDataset extends OsiElement {
  readonly source: string;
  readonly primary_key?: readonly string[];
  readonly unique_keys?: readonly (readonly string[])[];
  readonly fields?: readonly OsiField[];
}

export interface OsiRelationship {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly from_columns: readonly string[];
  readonly to_columns: readonly string[];
}

export interface OsiMetric extends OsiElement {
  readonly expression: OsiExpression;
}

export interface OsiModel extends OsiElement {
  readonly datasets: readonly OsiDataset[];
  readonly relationships?: readonly OsiRelationship[];
  readonly metrics?: readonly OsiMetric[];
}

export function ansi(expression: string): OsiExpression {
  return { dialects: [{ dialect: 'ANSI_SQL', expression }] };
}

/**
 * Makes the vendor block of this product, with the members that the standard lacks; `undefined` where it would be empty.
 */
export function serviceExtension(data: Readonly<Record<string, unknown>>): OsiExtension | undefined {
  const members = Object.entries(data).filter(([, value]) => value !== undefined);
  return members.length === 0
    ? undefined
    : { vendor_name: 'SERVICE', data: JSON.stringify(Object.fromEntries(members)) };
}

/** Members that are written on one line. */
const INLINE: ReadonlySet<unknown> = new Set([
  'expression',
  'dimension',
  'ai_context',
  'custom_extensions',
  'primary_key',
  'unique_keys',
  'from_columns',
  'to_columns',
]);

/** Returns the document of one model or several as YAML. */
export function writeOsi(...models: readonly OsiModel[]): string {
  const document = new Document({ version: '0.1.1', semantic_model: models }, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value }) {
      if (isScalar(key) && INLINE.has(key.value) && isCollection(value)) value.flow = true;
    },
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: true });
}
