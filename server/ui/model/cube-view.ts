import { html, LitElement, nothing } from 'lit';
import type { Client } from '../api-client/client.ts';
import { isObject, readBoolean, readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import './asked-questions.ts';
import { inWords } from '../words/server-words.ts';
import { type ModelProblem, parseProblem } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { count } from './words.ts';

interface Named {
  readonly caption: string;
  readonly description: string;
}

interface CubeSummary extends Named {
  readonly id: string;
  readonly measures: readonly (Named & { readonly kind: string })[];
  /** Each dimension with its levels. */
  readonly dimensions: readonly (Named & { readonly levels: readonly string[] })[];
}

interface DatasourceSummary {
  readonly file: string;
  readonly type: string;
  readonly isEnabled: boolean;
  readonly status: string;
  readonly problems: readonly ModelProblem[];
  readonly cubes: readonly CubeSummary[];
}

/** A datasource without a semantic document that can be read: its state, its problems, and what its cubes have. */
export class CubeView extends LitElement {
  static override properties = { datasource: {} };
  static override styles = [shared, modelStyles];

  /** The id of the datasource. */
  declare datasource: string;
  readonly #read = new RemoteData<DatasourceSummary | undefined>(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read.read((signal) => readDatasource(session.client, this.datasource, signal));
  }

  #cube({ id, caption, description, measures, dimensions }: CubeSummary) {
    return html`<section class="card stack"><div><h2>${caption}</h2>${description === '' ? nothing : html`<p class="note">${description}</p>`}</div>
      <div class="scroll" tabindex="0" role="region" aria-label=${msg(str`Measures of ${caption}`)}><table><thead><tr><th>${msg('Measure')}</th><th>${msg('Computed as')}</th><th>${msg('Description')}</th></tr></thead>
        <tbody>${measures.map((each) => html`<tr><th scope="row">${each.caption}</th><td>${each.kind}</td><td>${each.description}</td></tr>`)}</tbody></table></div>
      <div class="scroll" tabindex="0" role="region" aria-label=${msg(str`Dimensions of ${caption}`)}><table><thead><tr><th>${msg('Dimension')}</th><th>${msg('Levels')}</th><th>${msg('Description')}</th></tr></thead>
        <tbody>${dimensions.map((each) => html`<tr><th scope="row">${each.caption}</th><td>${each.levels.join(' › ')}</td><td>${each.description}</td></tr>`)}</tbody></table></div>
      <h3>${msg('Questions without a right answer')}</h3><ui-asked-questions reference=${id}></ui-asked-questions>
    </section>`;
  }

  protected override render() {
    const { state } = this.#read;
    if (state.status === 'loading') return html`<div class="bone"></div>`;
    if (state.status === 'failed') return html`<p class="problem error" role="alert">${state.message}</p>`;
    if (state.value === undefined)
      return html`<div class="empty"><p>${msg(str`There is no datasource "${this.datasource}". It may have been removed or renamed.`)}</p></div>`;
    const { file, type, isEnabled, status, problems, cubes } = state.value;
    const kind = type === 'OLAP' ? msg('cubes') : msg('a semantic model');
    return html`<div class="stack">
      <header><p class="note">${stateWords(status, isEnabled)} · ${kind} · <code>${file}</code></p></header>
      ${
        type === 'OLAP'
          ? html`<p class="note">${msg('Cubes are described by a schema in XML, which is changed in its file. This page shows what it gives.')}</p>`
          : html`<p class="note">${msg('The document of this model cannot be read. Mend it in its file, and load this page again.')}</p>`
      }
      ${problems.length === 0 ? nothing : html`<section class="card tight"><h2>${msg('Problems')}</h2><ul class="problems">${problems.map(({ severity, message, line }) => html`<li class="problem ${severity}"><p>${line === undefined ? '' : msg(str`Line ${line}: `)}${inWords(message)}</p></li>`)}</ul></section>`}
      ${type === 'OLAP' ? html`<p>${cubes.length === 0 ? msg('No cube of it can be asked now.') : count(cubes.length, msg('cube'), msg('cubes'))}</p>` : nothing}
      ${cubes.map((cube) => this.#cube(cube))}
    </div>`;
  }
}

function stateWords(status: string, isEnabled: boolean): string {
  if (!isEnabled || status === 'DISABLED') return msg('Disabled');
  switch (status) {
    case 'READY':
      return msg('Ready');
    case 'STALE':
      return msg('Out of date: the server uses the last correct version');
    case 'BROKEN':
      return msg('Broken: the server does not use it');
    default:
      return msg('Not supported by this version of the server');
  }
}

async function readDatasource(client: Client, id: string, signal: AbortSignal): Promise<DatasourceSummary | undefined> {
  const parse = (json: unknown) => readList(json, 'the datasources', (item) => readObject(item, 'a datasource'));
  const record = (await client.get('/rest/service/api/admin/datasources', parse, signal)).find(
    (each) => each.id === id,
  );
  if (record === undefined) return undefined;
  const name = readText(record, 'name');
  const type = readTextOrDefault(record, 'type', '');
  return {
    file: readText(record, 'file'),
    type,
    isEnabled: readBoolean(record, 'enabled'),
    status: readText(record, 'status'),
    problems: readList(record.problems, 'problems', parseProblem),
    cubes: type === 'OLAP' ? await readCubes(client, name, signal) : [],
  };
}

const CUBES = '/rest/service/api/ai';

async function readCubes(client: Client, connection: string, signal: AbortSignal): Promise<readonly CubeSummary[]> {
  const parse = (json: unknown) => readList(json, 'the cubes', (item) => readObject(item, 'a cube'));
  const cubes = (await client.get(`${CUBES}/cubes`, parse, signal)).filter(
    (cube) => cube.connectionName === connection,
  );
  return Promise.all(
    cubes.map((cube) => {
      const path = readText(cube, 'cubeId').split('/').map(encodeURIComponent).join('/');
      return client.get(`${CUBES}/schema/${path}?requestSchema=false`, parseCube, signal);
    }),
  );
}

function parseCube(json: unknown): CubeSummary {
  const record = readObject(json, 'a cube');
  return {
    id: readText(record, 'cubeId'),
    caption: readText(record, 'cubeCaption'),
    description: readTextOrDefault(record, 'description', ''),
    measures: valuesOf(record.measures).map((each) => ({
      ...named(each),
      kind: readTextOrDefault(each, 'aggregationKind', ''),
    })),
    dimensions: valuesOf(record.dimensions).map((each) => ({
      ...named(each),
      levels: valuesOf(each.hierarchies).flatMap((hierarchy) =>
        valuesOf(hierarchy.levels).map((level) => named(level).caption),
      ),
    })),
  };
}

function named(record: Readonly<Record<string, unknown>>): Named {
  return {
    caption: readTextOrDefault(record, 'caption', readTextOrDefault(record, 'name', '')),
    description: readTextOrDefault(record, 'description', ''),
  };
}

/** Returns the objects of a list or of a map. */
function valuesOf(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).filter(isObject);
}

customElements.define('ui-cube-view', CubeView);
