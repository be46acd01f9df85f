/** Applies edits to the text of a model document. */
import { type CertifiedAnswer, MAX_CERTIFIED_ANSWERS } from '../../../router/certified-answer.ts';
import { cooperativeYield } from '../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../router/errors.ts';
import { jsonOrUndefined } from '../../../router/json.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import { parseInput } from '../../../router/parse-input.ts';
import type { RequestPath } from '../../../router/path.ts';
import { isRecord } from '../../../router/record.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import type { Place } from '../model/problems.ts';
import { type ModelElement, readDocument } from '../model/read-document.ts';
import { chooseDialect, type Engine } from '../model/sql-texts.ts';
import { readYaml } from '../model/yaml-text.ts';
import { appendValue, removeValue, setValue, UnchangeableError } from './document-text.ts';
import { type Edit, PROPERTY_NAMES, type PropertyHome, propertyOf, type Target } from './edits.ts';
import { renamedDocument } from './rename-in-document.ts';
import type { Renaming } from './renaming.ts';

/** A document and the model in it that is edited. */
export interface EditedDocument {
  readonly text: string;
  /** The name of the model; `undefined` where the document has one model. */
  readonly schema: string | undefined;
  readonly engine: Engine;
}

export interface Applied {
  readonly text: string;
  /** The renamings, in their order. */
  readonly renamings: readonly Renaming[];
}

/**
 * Returns the text after all edits.
 *
 * @throws ValidationError at `edits[n]` for an edit of something that the document does not have
 */
export async function applyEdits(document: EditedDocument, edits: readonly Edit[]): Promise<Applied> {
  // A new name is written as the parser reads it.
  if (edits.some(({ op }) => op === 'rename')) await loadSqlLibrary();
  const yieldTurn = cooperativeYield();
  const renamings: Renaming[] = [];
  let { text } = document;
  for (const [index, edit] of edits.entries()) {
    await yieldTurn();
    const editor = new Editor({ ...document, text }, ['edits', index]);
    try {
      const renaming = editor.apply(edit);
      if (renaming !== undefined) renamings.push(renaming);
    } catch (error) {
      if (error instanceof UnchangeableError)
        throw ValidationError.at(['edits', index], `The document ${error.message}`);
      throw error;
    }
    text = editor.text;
  }
  return { text, renamings };
}

interface Element {
  readonly place: Place;
  readonly value: Readonly<Record<string, unknown>>;
}

class Editor {
  text: string;
  readonly #at: RequestPath;
  readonly #engine: Engine;
  readonly #model: ModelElement;
  readonly #place: Place;

  constructor({ text, schema, engine }: EditedDocument, at: RequestPath) {
    this.text = text;
    this.#at = at;
    this.#engine = engine;
    const document = readDocument(text, schema);
    if ('problems' in document)
      throw ValidationError.at(at, `The document cannot be read: ${document.problems[0]?.message ?? ''}`);
    this.#model = document.model;
    this.#place = document.place;
  }

  apply(edit: Edit): Renaming | undefined {
    switch (edit.op) {
      case 'set':
        this.#set(edit);
        return undefined;
      case 'rename':
        return this.#rename(edit);
      case 'remove':
        this.#remove(edit.on);
        return undefined;
      case 'add-metric':
        this.#unused('metric', this.#model.metrics ?? [], edit.name);
        this.#append([...this.#place, 'metrics'], {
          name: edit.name,
          ...labels(edit),
          expression: ansi(edit.expression),
        });
        return undefined;
      case 'add-field': {
        const { place, value } = this.#find({ kind: 'dataset', name: edit.dataset }, ['dataset']);
        this.#unused('field', listOf(value.fields), edit.name);
        this.#append([...place, 'fields'], { name: edit.name, ...labels(edit), expression: ansi(edit.expression) });
        return undefined;
      }
      case 'add-relationship':
        this.#unused('relationship', this.#model.relationships ?? [], edit.name);
        this.#dataset(edit.from, 'from');
        this.#dataset(edit.to, 'to');
        this.#append([...this.#place, 'relationships'], {
          name: edit.name,
          from: edit.from,
          to: edit.to,
          from_columns: edit.fromColumns,
          to_columns: edit.toColumns,
        });
        return undefined;
      case 'add-certified-answer':
        this.#addCertified(edit.answer);
        return undefined;
    }
  }

  #append(place: Place, value: unknown): void {
    this.text = appendValue(this.text, place, value);
  }

  /** Finds an element. @param member the place of its name in the edit */
  #find(target: Target, member: RequestPath): Element {
    const { kind, dataset, name } = target;
    if (kind === 'model') return { place: this.#place, value: this.#model };
    if (kind !== 'field') {
      const key = `${kind}s` as const;
      return this.#named(kind, this.#model[key] ?? [], [...this.#place, key], name, member);
    }
    const owner = this.#find({ kind: 'dataset', name: dataset }, [...member.slice(0, -1), 'dataset']);
    return this.#named(kind, listOf(owner.value.fields), [...owner.place, 'fields'], name, member);
  }

  #named(kind: string, elements: readonly unknown[], place: Place, name: string | undefined, member: RequestPath) {
    const records = elements.filter(isRecord);
    const index = records.findIndex((each) => each.name === name);
    const value = records[index];
    if (value !== undefined) return { place: [...place, index], value };
    const names = records.map((each) => String(each.name));
    const message = name === undefined ? `Give the name of the ${kind}.` : `The model has no ${kind} "${name}".`;
    throw ValidationError.at([...this.#at, ...member], message, nearestFirst(name ?? '', names));
  }

  #dataset(name: string, member: string): void {
    this.#find({ kind: 'dataset', name }, [member]);
  }

  #unused(kind: string, elements: readonly unknown[], name: string): void {
    if (elements.some((each) => isRecord(each) && each.name === name))
      throw ValidationError.at([...this.#at, 'name'], `There is a ${kind} "${name}" already. Choose another name.`);
  }

  #set({ on, property, value }: Extract<Edit, { op: 'set' }>): void {
    const { of, schema, home, isNeeded } = propertyOf(property);
    const element = this.#find(on, ['on', 'name']);
    if (!of.includes(on.kind)) {
      const legal = PROPERTY_NAMES.filter((name) => propertyOf(name).of.includes(on.kind));
      throw ValidationError.at([...this.#at, 'property'], `A ${on.kind} has no ${property}.`, legal);
    }
    const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0);
    if (isEmpty && isNeeded === true)
      throw ValidationError.at([...this.#at, 'value'], `A ${on.kind} needs its ${property}.`);
    const checked = isEmpty ? undefined : this.#checked(schema, value);
    if (on.kind === 'relationship' && (property === 'from' || property === 'to'))
      this.#dataset(String(checked), 'value');
    this.#write(element, home, checked);
  }

  #checked(schema: Parameters<typeof parseInput>[0], value: unknown): unknown {
    try {
      return parseInput(schema, value);
    } catch (error) {
      if (error instanceof ValidationError) throw error.under([...this.#at, 'value']);
      throw error;
    }
  }

  #write(element: Element, home: PropertyHome, value: unknown): void {
    switch (home.in) {
      case 'element':
        this.#put([...element.place, home.key], value);
        break;
      case 'label':
        this.#writeLabel(element, value);
        break;
      case 'ai_context':
        this.#writeContext(element, home.key, value);
        break;
      case 'extension':
        this.#writeExtension(element, home.path, value);
        break;
      case 'personal':
        this.#writeMark(element, value);
        break;
      case 'expression':
        this.#writeExpression(element, String(value));
        break;
    }
  }

  #put(place: Place, value: unknown): void {
    this.text = value === undefined ? removeValue(this.text, place) : setValue(this.text, place, value);
  }

  /** Writes a label where the document has it: the caption of our block comes before the member `label`. */
  #writeLabel(element: Element, value: unknown): void {
    const display = ownBlock(element)?.data.display;
    if (isRecord(display) && display.caption !== undefined)
      this.#writeExtension(element, ['display', 'caption'], value);
    else this.#put([...element.place, 'label'], value);
  }

  #writeContext({ place, value: element }: Element, key: 'synonyms' | 'instructions', value: unknown): void {
    const context = element.ai_context;
    if (typeof context !== 'string') {
      const others = isRecord(context) ? Object.keys(context).filter((each) => each !== key) : [];
      const path = value === undefined && others.length === 0 ? ['ai_context'] : ['ai_context', key];
      this.#put([...place, ...path], value);
      return;
    }
    // A text is either instructions or a list of synonyms; the member that is not set keeps it.
    const pieces = context.split(',').map((piece) => piece.trim());
    const isList = pieces.every((piece) => piece !== '' && piece.split(/\s+/).length <= 4 && !/[.!?]$/.test(piece));
    const kept = isList ? { synonyms: pieces } : { instructions: context };
    const merged = Object.entries({ ...kept, [key]: value }).filter(([, each]) => each !== undefined);
    this.#put([...place, 'ai_context'], merged.length === 0 ? undefined : Object.fromEntries(merged));
  }

  #writeExtension(element: Element, path: readonly string[], value: unknown): void {
    const block = ownBlock(element);
    const data = withMember(block?.data ?? {}, path, value);
    if (block === undefined) {
      if (value === undefined) return;
      const written = { vendor_name: 'SERVICE', data: JSON.stringify(data) };
      this.#append([...element.place, 'custom_extensions'], written);
    } else this.#writeBlock(element, block, data);
  }

  #addCertified({ also, ...answer }: CertifiedAnswer): void {
    const element = this.#find({ kind: 'model' }, []);
    const certified = listOf(ownBlock(element)?.data.certified);
    if (certified.length >= MAX_CERTIFIED_ANSWERS)
      throw ValidationError.at(this.#at, `A model has at most ${MAX_CERTIFIED_ANSWERS} certified answers.`);
    const written = also.length === 0 ? answer : { ...answer, also };
    this.#writeExtension(element, ['certified'], [...certified, written]);
  }

  #writeBlock(element: Element, { index, isText }: Block, data: Readonly<Record<string, unknown>>): void {
    const place = [...element.place, 'custom_extensions', index];
    const isOnly = listOf(element.value.custom_extensions).length === 1;
    if (Object.keys(data).length > 0) this.#put([...place, 'data'], isText ? JSON.stringify(data) : data);
    else this.#put(isOnly ? [...element.place, 'custom_extensions'] : place, undefined);
  }

  /** Sets the mark wherever the element has one; our block receives it where there is none. */
  #writeMark(element: Element, value: unknown): void {
    const marked = blocksOf(element).filter(({ data }) => Object.hasOwn(data, 'pii'));
    const hasMember = element.value.pii !== undefined && element.value.pii !== null;
    if (hasMember) this.#put([...element.place, 'pii'], value);
    // From the end, so that the removal of a block moves no block that is still to be written.
    for (const block of marked.toReversed()) this.#writeBlock(element, block, withMember(block.data, ['pii'], value));
    if (!hasMember && marked.length === 0) this.#writeExtension(element, ['pii'], value);
  }

  #writeExpression({ place, value: element }: Element, text: string): void {
    const dialects = isRecord(element.expression) ? element.expression.dialects : element.expression;
    const entries = listOf(dialects).flatMap((each) =>
      isRecord(each) ? [{ dialect: String(each.dialect), expression: String(each.expression) }] : [],
    );
    const chosen = chooseDialect(entries, this.#engine);
    const source = this.#sourceAt([...place, 'expression']);
    const inner = Array.isArray(source) ? [] : ['dialects'];
    this.#put([...place, 'expression', ...inner, chosen?.index ?? 0, 'expression'], text);
  }

  /** Returns a value as the document writes it, and not as its schema reads it. */
  #sourceAt(place: Place): unknown {
    let value: unknown = sourceOf(this.text);
    for (const key of place) value = isRecord(value) || Array.isArray(value) ? Reflect.get(value, key) : undefined;
    return value;
  }

  #remove(on: Target): void {
    if (on.kind === 'model' || on.kind === 'dataset')
      throw ValidationError.at([...this.#at, 'on', 'kind'], `A ${on.kind} is removed in the source.`, [
        'field',
        'metric',
        'relationship',
      ]);
    const { place } = this.#find(on, ['on', 'name']);
    const siblings = listOf(this.#sourceAt(place.slice(0, -1)));
    this.text = removeValue(this.text, siblings.length === 1 ? place.slice(0, -1) : place);
  }

  #rename({ on, name }: Extract<Edit, { op: 'rename' }>): Renaming {
    const { kind } = on;
    if (kind === 'model')
      throw ValidationError.at([...this.#at, 'on', 'kind'], 'A model is renamed in the source.', [
        'dataset',
        'field',
        'metric',
        'relationship',
      ]);
    const { place, value } = this.#find(on, ['on', 'name']);
    const renaming: Renaming = { kind, dataset: on.dataset, from: String(value.name), to: name };
    if (renaming.from === name) return renaming;
    this.#unused(kind, listOf(this.#sourceAt(place.slice(0, -1))), name);
    this.text = renamedDocument({
      text: this.text,
      element: place,
      model: this.#model,
      place: this.#place,
      renaming,
      engine: this.#engine,
    });
    return renaming;
  }
}

function sourceOf(text: string): unknown {
  const yaml = readYaml(text);
  return 'root' in yaml ? yaml.root : undefined;
}

interface Block {
  readonly index: number;
  /** True where the document has the data as JSON in a text. */
  readonly isText: boolean;
  readonly vendor: string;
  readonly data: Readonly<Record<string, unknown>>;
}

function blocksOf({ value }: Pick<Element, 'value'>): readonly Block[] {
  return listOf(value.custom_extensions).flatMap((each, index) => {
    if (!isRecord(each)) return [];
    const isText = typeof each.data === 'string';
    const data = isText ? jsonOrUndefined(String(each.data)) : each.data;
    return isRecord(data) ? [{ index, isText, data, vendor: String(each.vendor_name).toLowerCase() }] : [];
  });
}

function ownBlock(element: Pick<Element, 'value'>): Block | undefined {
  return blocksOf(element).findLast(({ vendor }) => vendor === 'service');
}

/** Returns data with a member set or removed; members that become empty are removed, too. */
function withMember(
  data: Readonly<Record<string, unknown>>,
  [key = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  const inner = data[key];
  const next = rest.length === 0 ? value : withMember(isRecord(inner) ? inner : {}, rest, value);
  const isGone = next === undefined || (rest.length > 0 && isRecord(next) && Object.keys(next).length === 0);
  if (isGone) return Object.fromEntries(Object.entries(data).filter(([name]) => name !== key));
  return { ...data, [key]: next };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function labels({
  label,
  description,
}: {
  readonly label?: string | undefined;
  readonly description?: string | undefined;
}) {
  return { ...(label === undefined ? {} : { label }), ...(description === undefined ? {} : { description }) };
}

function ansi(expression: string) {
  return { dialects: [{ dialect: 'ANSI_SQL', expression }] };
}
