/** Builds trees of joins. Each node is a dataset; a dataset that two paths reach has two nodes. */
import type { Path, RelationshipGraph } from '../../model/relationship-graph.ts';
import type { Join, JoinTree, Node } from '../nodes/plan.ts';

/** Returns the tree of one dataset, without joins. */
export function singleDatasetTree(dataset: string): JoinTree {
  return Object.freeze({ root: Object.freeze({ dataset, role: 0 }), bridge: [], joins: [] });
}

/** Builds a tree that begins at `base`. `back` is the bridge: a path to `base` from the many side; empty for none. */
export class TreeBuilder {
  readonly #back: Path;
  readonly #root: Node;
  readonly #bridge: readonly Join[];
  readonly #joins: Join[] = [];
  readonly #nodes = new Map<string, Node>();
  readonly #used: Set<string>;
  #roles = 0;

  /** @param taken datasets of an outer query; no node gets the plain alias of one of them */
  constructor(base: string, back: Path, taken: readonly string[] = []) {
    this.#back = back;
    this.#used = new Set(taken);
    this.#root = this.#node(back, base);
    this.#bridge = back.toReversed().map(({ relationship, from, fromColumns, toColumns }, index) => {
      const depth = back.length - 1 - index;
      const parent = this.#nodes.get(pathKey(back.slice(0, depth + 1))) ?? this.#root;
      const node = this.#node(back.slice(0, depth), from);
      return Object.freeze({
        relationship,
        node,
        parent,
        columns: fromColumns,
        parentColumns: toColumns,
        isTotal: false,
      });
    });
  }

  /** Adds a path that begins at the base, and returns the node at its end. */
  fromBase(path: Path): Node {
    return this.#add(this.#back, this.#root, path);
  }

  /** Adds a path that begins at the far end of the bridge, and returns the node at its end. */
  fromTurn(path: Path): Node {
    return this.#add([], this.#bridge.at(-1)?.node ?? this.#root, path);
  }

  tree(): JoinTree {
    return Object.freeze({ root: this.#root, bridge: this.#bridge, joins: Object.freeze([...this.#joins]) });
  }

  #add(before: Path, start: Node, path: Path): Node {
    let parent = start;
    path.forEach(({ relationship, to, fromColumns, toColumns }, index) => {
      const walked = [...before, ...path.slice(0, index + 1)];
      const existing = this.#nodes.get(pathKey(walked));
      const node = existing ?? this.#node(walked, to);
      if (existing === undefined) {
        const columns = { columns: toColumns, parentColumns: fromColumns };
        this.#joins.push(Object.freeze({ relationship, node, parent, ...columns, isTotal: false }));
      }
      parent = node;
    });
    return parent;
  }

  #node(path: Path, dataset: string): Node {
    const isFirst = !this.#used.has(dataset);
    if (!isFirst) this.#roles += 1;
    this.#used.add(dataset);
    const node = Object.freeze({ dataset, role: isFirst ? 0 : this.#roles });
    this.#nodes.set(pathKey(path), node);
    return node;
  }
}

function pathKey(path: Path): string {
  return JSON.stringify(path.map(({ relationship, to }) => [relationship, to]));
}

function nodeKey({ dataset, role }: Node): string {
  return JSON.stringify([dataset, role]);
}

/**
 * Marks the joins of the tree that lose no row. After an outer join the parent's row may be missing, so that even a
 * complete key has no match.
 */
export function withTotalJoins(tree: JoinTree, isComplete: (join: Join) => boolean): JoinTree {
  const whole = new Set([nodeKey(tree.root)]);
  const joins = tree.joins.map((join) => {
    if (!whole.has(nodeKey(join.parent)) || !isComplete(join)) return join;
    whole.add(nodeKey(join.node));
    return Object.freeze({ ...join, isTotal: true });
  });
  return Object.freeze({ ...tree, joins });
}

/**
 * Removes joins that lead to none of `needed`. Each of them leads to one row at most, so the number of rows stays the same.
 */
export function withoutUnused(tree: JoinTree, needed: readonly Node[]): JoinTree {
  const used = new Set(needed.map(nodeKey));
  const joins = tree.joins.toReversed().filter(({ node, parent }) => {
    if (used.has(nodeKey(node))) used.add(nodeKey(parent));
    return used.has(nodeKey(node));
  });
  return Object.freeze({ ...tree, joins: joins.toReversed() });
}

/** Finds the dataset from which every one of `needed` is reached: the grain of an expression that reads several. */
export function lowestOf(needed: readonly string[], graph: RelationshipGraph): string | undefined {
  return needed.find((dataset) => {
    const reached = graph.reachable(dataset);
    return needed.every((other) => other === dataset || reached.has(other));
  });
}
