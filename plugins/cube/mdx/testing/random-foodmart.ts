import { type Fact, type FoodmartRows, type Node, pathOf, type Tree } from './foodmart-oracle.ts';

/** Random queries over FoodMart's cube Sales, with their results by loops over rows and trees. */

/** Makes decisions in order from a list of random numbers. The same list makes the same query. */
export class Choices {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** Returns a number from 0 up to, but not including, `count`. */
  below(count: number): number {
    return (this.#numbers[this.#at++ % this.#numbers.length] ?? 0) % Math.max(count, 1);
  }

  one<T>(of: readonly T[]): T {
    const item = of[this.below(of.length)];
    if (item === undefined) throw new Error('There is nothing to choose from.');
    return item;
  }
}

/** The language does not define the result of the query, for example the order of ties. */
export class NotDecided extends Error {}

export interface Expected<T> {
  readonly mdx: string;
  readonly value: T;
}

/** The position of a cell: a node of each tree, or several in the slicer. */
type Coordinates = ReadonlyMap<Tree, readonly Node[]>;

export interface RandomQuery {
  readonly mdx: string;
  /** The unique names of the rows. */
  readonly rows: readonly string[];
  /** The values of each row. */
  readonly cells: readonly (readonly (number | null)[])[];
}

const MAX_DEPTH = 3;

/** The kinds of sets that are made below. A parent-child tree has no levels to name, and is queried without values. */
const SIMPLE_SETS = [0, 1, 2, 3, 4, 5, 6] as const;
const WITHOUT_LEVELS = [1, 3, 4, 5, 6] as const;
const DERIVED_SETS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] as const;
const WITHOUT_VALUES = [0, 1, 2, 3, 4, 5, 6, 10, 11] as const;

/** Makes a random query with its answer. */
export class QueryMaker {
  readonly #foodmart: FoodmartRows;
  readonly #choose: Choices;
  #context: Coordinates = new Map();

  constructor(foodmart: FoodmartRows, choose: Choices) {
    this.#foodmart = foodmart;
    this.#choose = choose;
  }

  /** @throws NotDecided if the language does not define the answer of the query */
  make(): RandomQuery {
    const trees = [...this.#foodmart.trees];
    const take = () => trees.splice(this.#choose.below(trees.length), 1)[0];
    const [first, second] = [take(), take()];
    if (first === undefined || second === undefined) throw new Error('There are too few trees.');
    const where = this.#slicer(second);
    this.#context = new Map([...this.#defaults(), ...where.value]);
    const rows = this.#set(first, MAX_DEPTH);
    const of = this.#set(first, 1);
    const [name, compute] = this.#choose.one(AGGREGATES);
    const nonEmpty = this.#choose.below(3) === 0;
    const total = compute(of.value.map((node) => this.#units(first, node)));
    const lines = rows.value.map((node) => [this.#units(first, node), this.#value(first, node, 'count'), total]);
    const kept = lines.flatMap((line, at) => (nonEmpty && line.every((value) => value === null) ? [] : [at]));
    return {
      mdx: `WITH MEMBER [Measures].[X] AS ${name}(${of.mdx}, [Measures].[Unit Sales])
        SELECT {[Measures].[Unit Sales], [Measures].[Sales Count], [Measures].[X]} ON 0, ${nonEmpty ? 'NON EMPTY ' : ''}{${rows.mdx}} ON 1
        FROM [Sales]${where.mdx}`,
      rows: kept.flatMap((at) => rows.value[at]?.uniqueName ?? []),
      cells: kept.flatMap((at) => [lines[at] ?? []]),
    };
  }

  /** Makes a set of a tree without using values. */
  makeSet(tree: Tree): Expected<readonly Node[]> {
    return this.#set(tree, MAX_DEPTH);
  }

  /** A hierarchy that the query does not name is at its root. Time has no root and is at 1997. */
  #defaults(): readonly (readonly [Tree, readonly Node[]])[] {
    return this.#foodmart.trees.map((tree) => {
      const start = tree.hasAll ? tree.root : tree.byDepth[1]?.find(({ name }) => name === '1997');
      return [tree, start === undefined ? [] : [start]] as const;
    });
  }

  #slicer(tree: Tree): Expected<Coordinates> {
    if (this.#choose.below(3) === 0) return { mdx: '', value: new Map() };
    const nodes = tree.byDepth[1 + this.#choose.below(tree.byDepth.length - 1)] ?? [];
    const first = this.#choose.one(nodes);
    if (this.#choose.below(2) === 0) return { mdx: ` WHERE ${first.uniqueName}`, value: new Map([[tree, [first]]]) };
    const both = [...new Set([first, this.#choose.one(nodes)])];
    return { mdx: ` WHERE {${both.map(({ uniqueName }) => uniqueName).join(', ')}}`, value: new Map([[tree, both]]) };
  }

  #units(tree: Tree, node: Node): number | null {
    return this.#value(tree, node, 'units');
  }

  #value(tree: Tree, node: Node, measure: 'units' | 'count'): number | null {
    const at = [...new Map([...this.#context, [tree, [node]]])].map(
      ([each, nodes]) => [this.#foodmart.trees.indexOf(each), nodes.map(pathOf)] as const,
    );
    const isIn = ({ paths }: Fact) =>
      at.every(([place, nodePaths]) =>
        nodePaths.some((path) => path.every((name, depth) => paths[place]?.[depth] === name)),
      );
    const facts = this.#foodmart.facts.filter(isIn);
    return facts.length === 0 ? null : facts.reduce((sum, fact) => sum + fact[measure], 0);
  }

  #member(tree: Tree): Expected<Node | undefined> {
    const depth = (tree.hasAll ? 0 : 1) + this.#choose.below(tree.byDepth.length - (tree.hasAll ? 0 : 1));
    const start = this.#choose.one(tree.byDepth[depth] ?? []);
    const steps = this.#choose.below(3);
    let node: Expected<Node | undefined> = { mdx: start.uniqueName, value: start };
    for (let step = 0; step < steps; step++) node = this.#step(tree, node);
    return node;
  }

  #step(tree: Tree, { mdx, value }: Expected<Node | undefined>): Expected<Node | undefined> {
    const siblings = value?.parent?.children ?? (value === undefined ? [] : [value]);
    const beside = (by: number): Node | undefined => {
      const level = value === undefined ? [] : (tree.byDepth[value.depth] ?? []);
      return value === undefined ? undefined : level[level.indexOf(value) + by];
    };
    const isVisible = (node: Node | undefined) => (node === tree.root && !tree.hasAll ? undefined : node);
    const number = this.#choose.below(4);
    const steps: readonly (readonly [string, Node | undefined])[] = [
      ['.Parent', isVisible(value?.parent)],
      ['.NextMember', beside(1)],
      ['.PrevMember', beside(-1)],
      ['.FirstChild', value?.children[0]],
      ['.LastChild', value?.children.at(-1)],
      ['.FirstSibling', siblings[0]],
      ['.LastSibling', siblings.at(-1)],
      [`.Lag(${number})`, beside(-number)],
      [`.Lead(${number})`, beside(number)],
    ];
    const [text, next] = this.#choose.one(steps);
    return { mdx: `${mdx}${text}`, value: next };
  }

  #set(tree: Tree, depth: number): Expected<readonly Node[]> {
    return depth === 0 || this.#choose.below(4) === 0 ? this.#simpleSet(tree) : this.#derivedSet(tree, depth - 1);
  }

  #simpleSet(tree: Tree): Expected<readonly Node[]> {
    const member = this.#member(tree);
    const { mdx, value } = member;
    const top = tree.hasAll ? 0 : 1;
    const level = top + this.#choose.below(tree.byDepth.length - top);
    const levelName = `${tree.uniqueName}.[${tree.levels[level] ?? ''}]`;
    const count = this.#choose.below(4);
    switch (this.#choose.one(tree.levels.length === 0 ? WITHOUT_LEVELS : SIMPLE_SETS)) {
      case 0:
        return { mdx: `${levelName}.Members`, value: tree.byDepth[level] ?? [] };
      case 1:
        return { mdx: `${mdx}.Children`, value: value?.children ?? [] };
      case 2: {
        const within = value === undefined ? [] : descendants(value);
        const flag = this.#choose.one(['SELF', 'AFTER', 'BEFORE', 'SELF_AND_AFTER', 'SELF_AND_BEFORE']);
        const is = (at: number) =>
          (at === level && flag.includes('SELF')) ||
          (at > level && flag.includes('AFTER')) ||
          (at < level && flag.includes('BEFORE'));
        return { mdx: `Descendants(${mdx}, ${levelName}, ${flag})`, value: within.filter((node) => is(node.depth)) };
      }
      case 3: {
        const within = value === undefined ? [] : descendants(value);
        const depth = (value?.depth ?? 0) + count;
        return { mdx: `Descendants(${mdx}, ${count})`, value: within.filter((node) => node.depth === depth) };
      }
      case 4: {
        const nodes = value === undefined ? [] : (tree.byDepth[value.depth] ?? []);
        if (value === undefined) return { mdx: `{${mdx}}`, value: [] };
        const other = this.#choose.one(nodes);
        const [from, to] = [nodes.indexOf(value), nodes.indexOf(other)].toSorted((a, b) => a - b);
        return { mdx: `{${mdx} : ${other.uniqueName}}`, value: nodes.slice(from, (to ?? 0) + 1) };
      }
      case 5: {
        const nodes = value === undefined ? [] : (tree.byDepth[value.depth] ?? []);
        const index = value === undefined ? -1 : nodes.indexOf(value);
        return { mdx: `LastPeriods(${count}, ${mdx})`, value: nodes.slice(Math.max(index - count + 1, 0), index + 1) };
      }
      default: {
        const other = this.#member(tree);
        return { mdx: `{${mdx}, ${other.mdx}}`, value: [value, other.value].filter((node) => node !== undefined) };
      }
    }
  }

  #derivedSet(tree: Tree, depth: number): Expected<readonly Node[]> {
    const { mdx, value } = this.#set(tree, depth);
    const count = this.#choose.below(5);
    const limit = this.#choose.one([0, 100, 1_000, 20_000]);
    const by = '[Measures].[Unit Sales]';
    switch (this.#choose.one(tree.levels.length === 0 ? WITHOUT_VALUES : DERIVED_SETS)) {
      case 0:
        return { mdx: `Head(${mdx}, ${count})`, value: value.slice(0, count) };
      case 1:
        return { mdx: `Tail(${mdx}, ${count})`, value: count === 0 ? [] : value.slice(-count) };
      case 2:
        return { mdx: `Subset(${mdx}, ${count}, 2)`, value: value.slice(count, count + 2) };
      case 3: {
        const other = this.#set(tree, depth);
        return { mdx: `Union(${mdx}, ${other.mdx})`, value: [...new Set([...value, ...other.value])] };
      }
      case 4: {
        const other = this.#set(tree, depth);
        const left = value.filter((node) => !other.value.includes(node));
        return { mdx: `Except(${mdx}, ${other.mdx})`, value: [...new Set(left)] };
      }
      case 5: {
        const other = this.#set(tree, depth);
        const both = value.filter((node) => other.value.includes(node));
        return { mdx: `Intersect(${mdx}, ${other.mdx})`, value: [...new Set(both)] };
      }
      case 6:
        return { mdx: `Distinct(${mdx})`, value: [...new Set(value)] };
      case 7: {
        const kept = value.filter((node) => (this.#units(tree, node) ?? Number.NEGATIVE_INFINITY) > limit);
        return { mdx: `Filter(${mdx}, ${by} > ${limit})`, value: kept };
      }
      case 8: {
        const down = this.#choose.below(2) === 0;
        return { mdx: `Order(${mdx}, ${by}, ${down ? 'BDESC' : 'BASC'})`, value: this.#ranked(tree, value, down) };
      }
      case 9: {
        const down = this.#choose.below(2) === 0;
        const best = this.#ranked(tree, value, down).slice(0, count);
        return { mdx: `${down ? 'TopCount' : 'BottomCount'}(${mdx}, ${count}, ${by})`, value: best };
      }
      case 10: {
        const all = tree.byDepth.length === 0 ? [] : descendants(tree.root);
        const sorted = value.toSorted((left, right) => all.indexOf(left) - all.indexOf(right));
        return { mdx: `Hierarchize(${mdx})`, value: sorted };
      }
      default: {
        const parents = value.flatMap(({ parent }) =>
          parent === undefined || (parent === tree.root && !tree.hasAll) ? [] : [parent],
        );
        return { mdx: `Generate(${mdx}, {${tree.uniqueName}.CurrentMember.Parent})`, value: [...new Set(parents)] };
      }
    }
  }

  /** Sorts by units, with empty values first. The language does not define the order of ties. */
  #ranked(tree: Tree, nodes: readonly Node[], down: boolean): readonly Node[] {
    const keyed = nodes.map((node) => ({ node, key: this.#units(tree, node) ?? Number.NEGATIVE_INFINITY }));
    if (new Set(keyed.map(({ key }) => key)).size < keyed.length) throw new NotDecided();
    return keyed
      .toSorted((left, right) => (down ? right.key - left.key : left.key - right.key))
      .map(({ node }) => node);
  }
}

function descendants(node: Node): readonly Node[] {
  return [node, ...node.children.flatMap(descendants)];
}

type Values = readonly (number | null)[];

function present(values: Values): readonly number[] {
  return values.filter((value) => value !== null);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** Functions of a set and a value. They are empty for an empty set. */
const AGGREGATES: readonly (readonly [string, (values: Values) => number | null])[] = [
  ['Sum', (values) => (present(values).length === 0 ? null : sum(present(values)))],
  ['Avg', (values) => (present(values).length === 0 ? null : sum(present(values)) / present(values).length)],
  ['Min', (values) => (present(values).length === 0 ? null : Math.min(...present(values)))],
  ['Max', (values) => (present(values).length === 0 ? null : Math.max(...present(values)))],
];
