import { html, LitElement, nothing } from 'lit';
import type { Client } from '../api-client/client.ts';
import { isObject, type JsonObject, readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { modelStyles } from './model-styles.ts';

interface ReadField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly samples: readonly string[];
}

interface ReadModel {
  readonly name: string;
  readonly connection: string;
  readonly description: string;
  readonly datasets: readonly {
    readonly name: string;
    readonly description: string;
    readonly fields: readonly ReadField[];
  }[];
  readonly metrics: readonly { readonly name: string; readonly label: string; readonly description: string }[];
}

const ROOT = '/rest/service/api/ai/semantic';

/** What somebody without the right to administer may read of a model: the fields and metrics that they see. */
export class ReaderView extends LitElement {
  static override properties = { datasource: {} };
  static override styles = [shared, modelStyles];

  /** The id of the datasource, which is compared with the names of connections. */
  declare datasource: string;
  readonly #read = new RemoteData<readonly ReadModel[]>(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read.read((signal) => readModels(session.client, this.datasource, signal));
  }

  #model({ name, description, datasets, metrics }: ReadModel) {
    return html`<section class="stack">
      <div><h2>${name}</h2><p class="note">${description}</p></div>
      <section class="card tight"><h3>${msg('Metrics')}</h3>
        <div class="scroll" tabindex="0" role="region" aria-label=${msg('Metrics')}><table><tbody>${metrics.map((metric) => html`<tr><th scope="row">${metric.label}</th><td>${metric.description}</td></tr>`)}</tbody></table></div></section>
      ${datasets.map(
        (
          dataset,
        ) => html`<section class="card tight"><h3>${dataset.name}</h3>${dataset.description === '' ? nothing : html`<p class="note">${dataset.description}</p>`}
        <div class="scroll" tabindex="0" role="region" aria-label=${msg(str`Fields of ${dataset.name}`)}><table><thead><tr><th>${msg('Field')}</th><th>${msg('Description')}</th><th>${msg('Samples')}</th></tr></thead>
          <tbody>${dataset.fields.map((field) => html`<tr><th scope="row">${field.label}</th><td>${field.description}</td><td>${field.samples.slice(0, 5).join(', ')}</td></tr>`)}</tbody></table></div></section>`,
      )}</section>`;
  }

  protected override render() {
    const { state } = this.#read;
    if (state.status === 'loading') return html`<div class="bone"></div>`;
    if (state.status === 'failed') return html`<p class="problem error" role="alert">${state.message}</p>`;
    return html`<div class="stack"><header><p class="note">${msg('You can read what you may ask for. Only administrators of this service change models.')}</p></header>
      ${state.value.length === 0 ? html`<div class="empty"><p>${msg('There is no model of this name that you may read. Ask an administrator for the role that it needs.')}</p></div>` : state.value.map((model) => this.#model(model))}</div>`;
  }
}

async function readModels(client: Client, id: string, signal: AbortSignal): Promise<readonly ReadModel[]> {
  const parse = (json: unknown) => readList(json, 'the models', (item) => readObject(item, 'a model'));
  const listed = await client.get(`${ROOT}/models`, parse, signal);
  const meant = listed.filter((each) => readText(each, 'connectionName').toLowerCase() === id.toLowerCase());
  return Promise.all(
    meant.map((each) => {
      const path = [readText(each, 'connectionName'), readText(each, 'modelName')].map(encodeURIComponent).join('/');
      return client.get(`${ROOT}/schema/${path}?requestSchema=false`, parseModel, signal);
    }),
  );
}

function parseModel(json: unknown): ReadModel {
  const record = readObject(json, 'a model');
  return {
    name: readText(record, 'modelName'),
    connection: readText(record, 'connectionName'),
    description: readTextOrDefault(record, 'description', ''),
    datasets: entries(record.datasets).map((dataset) => ({
      ...texts(dataset),
      fields: entries(dataset.fields).map((field) => ({
        ...texts(field),
        samples: readList(field.sampleValues ?? [], 'samples', String),
      })),
    })),
    metrics: entries(record.metrics).map(texts),
  };
}

function texts(record: JsonObject) {
  const name = readText(record, 'name');
  return {
    name,
    label: readTextOrDefault(record, 'label', name),
    description: readTextOrDefault(record, 'description', ''),
  };
}

function entries(value: unknown): readonly JsonObject[] {
  return isObject(value) ? Object.values(value).filter(isObject) : [];
}

customElements.define('ui-model-reader', ReaderView);
