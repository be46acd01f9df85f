import { html, type TemplateResult } from 'lit';
import type { Holder, Host, LivePart, Panel, Right, Shown, ShownOptions } from '../contract.ts';
import { type Access, readQuery, type Source } from '../read/client.ts';
import type { Failure } from '../read/failure.ts';
import { answerView } from './answer-view.ts';
import { counted, honesty } from './honesty.ts';
import { AnswerPanel, isSettled } from './panel.ts';
import { failure, notice, skeleton, UNAVAILABLE } from './states.ts';

export function shownQuery({ host, source, right, access, before }: ShownOptions): Shown {
  const panel = new AnswerPanel(
    host,
    (signal) => readQuery(source, access, signal),
    undefined,
    before?.panel(undefined),
  );
  const { reading } = panel;
  return {
    source,
    right,
    get loading() {
      return reading.outcome.state === 'loading';
    },
    get settled() {
      return isSettled(panel);
    },
    panel: () => panel,
    start: () => reading.start(),
    stop() {
      access.release();
      reading.stop();
    },
    refresh: () => reading.refresh(),
    resume() {
      if (reading.outcome.state === 'failed') void reading.refresh();
      host.changed();
    },
    template: () => queryView(panel, host),
    rendered: () => panel.rendered(host),
  };
}

function queryView(panel: Panel, host: Host): TemplateResult {
  const { settings, formats } = host;
  const { outcome } = panel.reading;
  const { render } = settings;
  panel.view = undefined;
  switch (outcome.state) {
    case 'loading':
      return loading(host, render === 'chart' ? 'bars' : render === 'kpi' ? 'single' : 'table');
    case 'failed':
      return unavailable(host, outcome.failure);
    case 'ready': {
      const answer = outcome.value;
      const { rows, title } = answer;
      host.announce(`${title}: ${counted(rows.length, formats)}`);
      const view = answerView(panel, answer, host, { ...settings, title });
      const table = render === 'table' && rows.length > 0;
      return html`${view}${honesty(answer, formats, { stale: outcome.stale, rows: table, sorted: table && panel.table.sort !== undefined })}`;
    }
  }
}

export function incomplete(): TemplateResult {
  return notice('This embed is not set up yet', 'It needs the attributes server and path.');
}

export function loading(host: Host, shape: Parameters<typeof skeleton>[0]): TemplateResult {
  host.announce('Loading…');
  return html`<slot name="loading">${skeleton(shape)}</slot>`;
}

/** Whatever went wrong is said in one sentence; only a filter that the page itself got wrong is named to it. */
export function unavailable(host: Host, { code }: Failure): TemplateResult {
  host.announce('');
  const said = code === 'INVALID_FILTER' ? 'The filter of this embed is not valid.' : UNAVAILABLE;
  return html`<slot name="error">${failure(said)}</slot>`;
}

export function sameResource(a: Source, b: Source): boolean {
  return a.server === b.server && a.path === b.path && a.kind === b.kind;
}

/** Without `getToken` the token is what it is; with it, the part that renews tokens is asked. */
export function accessBy(host: Host, source: Source, right: Right, holder: Holder): ShownOptions['access'] {
  const { token, getToken } = right;
  if (getToken === undefined) return { token: () => token, renew: () => undefined, release() {} };
  let live: ReturnType<LivePart['access']> | undefined;
  const access = async (): Promise<Access> => {
    const part = await host.load('live');
    live ??= part.access({ token, getToken }, source, holder);
    return live;
  };
  return {
    token: async () => (await access()).token(),
    renew: async (refused) => (await access()).renew(refused),
    release: () => live?.release(),
  };
}
