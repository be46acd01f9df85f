import { css, html, LitElement, nothing, type PropertyValues, svg } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { pathOf } from './address.ts';
import { type DiagramLayout, layOutInWorker, neighbour } from './diagram-layout.ts';
import type { ModelDocument, RelationshipElement } from './model-document.ts';
import type { ModelFacts } from './requests.ts';
import { count, numberText } from './words.ts';

const HEIGHT = 56;
const CHARACTER = 8;
const ARROWS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' } as const;

/** Draws the datasets of a model and how they are joined. Each dataset is a link; the arrow keys move between them. */
export class ModelDiagram extends LitElement {
  static override properties = {
    document: { attribute: false },
    facts: { attribute: false },
    layout: { state: true },
    problem: { state: true },
  };
  static override styles = [
    shared,
    css`
      .scroll { overflow: auto; max-height: 70vh; }
      svg { display: block; max-width: none; margin-inline: auto; }
      rect { fill: var(--paper); stroke: var(--line); stroke-width: 1; }
      a { text-decoration: none; }
      a:hover rect { stroke: var(--accent); fill: var(--accent-wash); }
      a:focus-visible { outline: none; }
      a:focus-visible rect { stroke: var(--accent); stroke-width: 3; }
      .name { fill: var(--ink); font: 600 14px var(--body); }
      .about { fill: var(--muted); font: 12px var(--body); }
      path { fill: none; stroke: var(--muted); stroke-width: 1.5; }
      marker path { fill: var(--muted); stroke: none; }
    `,
  ];

  declare document: ModelDocument;
  declare facts: ModelFacts | undefined;
  declare layout: DiagramLayout | undefined;
  declare problem: string;
  #drawn = '';

  constructor() {
    super();
    this.problem = '';
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('document')) void this.#layOut();
  }

  async #layOut(): Promise<void> {
    const { datasets, relationships } = this.document;
    const names = new Set(datasets.map(({ name }) => name));
    const input = {
      nodes: datasets.map(({ name }) => ({ name, width: widthOf(name), height: HEIGHT })),
      edges: relationships
        .filter(({ from, to }) => names.has(from) && names.has(to) && from !== to)
        .map(({ name, from, to }) => ({ name, from, to })),
      isNarrow: innerWidth < 760,
    };
    const key = JSON.stringify(input);
    if (key === this.#drawn) return;
    this.#drawn = key;
    try {
      this.layout = await layOutInWorker(input);
    } catch (error) {
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  #key(event: KeyboardEvent, name: string): void {
    const direction = Object.entries(ARROWS).find(([key]) => key === event.key)?.[1];
    if (direction === undefined || this.layout === undefined) return;
    event.preventDefault();
    const next = neighbour(this.layout, name, direction);
    if (next !== undefined) this.renderRoot.querySelector<SVGAElement>(`a[data-name="${CSS.escape(next)}"]`)?.focus();
  }

  #node({ name, x, y }: DiagramLayout['nodes'][number]) {
    const dataset = this.document.datasets.find((each) => each.name === name);
    if (dataset === undefined) return nothing;
    const rows = this.facts?.get(name)?.rows;
    const about =
      rows === undefined
        ? count(dataset.fields.length, msg('field'), msg('fields'))
        : count(rows, msg('row'), msg('rows'));
    const joins = this.document.relationships.flatMap(({ from, to }) => (from === name ? [to] : []));
    const label = joins.length === 0 ? `${name} ${about}` : msg(str`${name} ${about}, joins ${joins.join(', ')}`);
    const width = widthOf(name);
    return svg`<a href=${withBasePath(pathOf({ id: this.document.id, tab: 'datasets', item: name }))} data-name=${name} aria-label=${label}
      transform="translate(${x - width / 2} ${y - HEIGHT / 2})" @keydown=${(event: KeyboardEvent) => this.#key(event, name)}>
      <rect width=${width} height=${HEIGHT} rx="6"></rect>
      <text class="name" x="12" y="24">${name}</text>${' '}<text class="about" x="12" y="43">${about}</text></a>`;
  }

  #edge({ name, points }: DiagramLayout['edges'][number]) {
    const relationship = this.document.relationships.find((each) => each.name === name);
    return svg`<path d=${pathThrough(points)} marker-end="url(#end)">${relationship === undefined ? nothing : svg`<title>${joinWords(relationship)}</title>`}</path>`;
  }

  protected override render() {
    if (this.problem !== '') return html`<p class="muted">${this.problem}</p>`;
    const { layout } = this;
    if (layout === undefined) return html`<div class="bone"></div>`;
    return html`<div class="scroll">
      <svg width=${layout.width} height=${layout.height} viewBox="0 0 ${layout.width} ${layout.height}" role="group" aria-label=${msg(str`Diagram of ${numberText(layout.nodes.length)} datasets`)}>
        <defs><marker id="end" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" /></marker></defs>
        ${layout.edges.map((edge) => this.#edge(edge))}
        ${layout.nodes.map((node) => this.#node(node))}
      </svg></div>`;
  }
}

function widthOf(name: string): number {
  return Math.max(128, 28 + name.length * CHARACTER);
}

function pathThrough(points: DiagramLayout['edges'][number]['points']): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join(' ');
}

/** Writes a relationship as an equation: `sales.store_id = stores.store_id`. */
export function joinWords({ from, to, fromColumns, toColumns }: RelationshipElement): string {
  return fromColumns.map((column, index) => `${from}.${column} = ${to}.${toColumns[index] ?? ''}`).join(', ');
}

customElements.define('ui-model-diagram', ModelDiagram);
