import { html, type TemplateResult } from 'lit';
import { type Access, readQuery, type Source } from '../api/client.ts';
import type { Failure } from '../api/failure.ts';
import { parseAnswer } from '../api/parse-answer.ts';
import { answerView, preloadView, skeletonOfView } from '../render/answer-view.ts';
import { failureNotice, notice, skeleton, UNAVAILABLE_MESSAGE } from '../render/placeholders.ts';
import { resultStatus, rowCountText } from '../render/result-status.ts';
import { Panel } from '../state/panel.ts';
import type {
  Credentials,
  EmbedController,
  EmbedControllerOptions,
  Host,
  RefreshPart,
  TokenListener,
} from '../types.ts';

/** Creates the controller of a saved query. */
export function createQueryController({
  host,
  source,
  credentials,
  access,
  previous,
}: EmbedControllerOptions): EmbedController {
  const panel = new Panel({
    host,
    read: (signal, more) => source.reader?.(signal, more).then(parseAnswer) ?? readQuery(source, access, signal, more),
    tile: undefined,
    previous: previous?.panel(undefined),
    isOther: previous && isOtherQuestion(previous.source, source),
  });
  const { resource } = panel;
  return {
    source,
    credentials,
    access,
    get isLoading() {
      return resource.state.status === 'loading';
    },
    get isSettled() {
      return panel.isSettled;
    },
    panel: () => panel,
    start: () => resource.start(),
    stop() {
      access.release();
      resource.stop();
    },
    refresh: () => resource.refresh(),
    resume() {
      if (resource.state.status === 'failed') void resource.refresh();
      host.requestUpdate();
    },
    render: () => queryView(panel, host),
    afterRender: () => panel.afterRender(),
  };
}

function queryView(panel: Panel, host: Host): TemplateResult {
  const { settings, formats } = host;
  const { state } = panel.resource;
  const { render } = settings;
  panel.view = undefined;
  switch (state.status) {
    case 'loading':
      preloadView(render, host);
      return loadingView(host, skeletonOfView(render));
    case 'failed':
      return unavailableView(host, state.failure);
    case 'ready': {
      const { answer = state.value } = panel;
      const { rows, title } = answer;
      host.announce(`${title}: ${rowCountText(rows.length, formats)}`);
      const view = answerView(panel, answer, host, { ...settings, title, peers: [answer] });
      const table = render === 'table' && rows.length > 0;
      return html`${view}${resultStatus(answer, formats, { stale: state.stale, rows: table, sorted: table && panel.table.sort !== undefined })}`;
    }
  }
}

/** Renders the notice of an element that has no server or no path. */
export function incompleteNotice({ formats }: Host): TemplateResult {
  return notice(formats.say('This embed is not set up yet'), formats.say('Set the attributes server and path.'));
}

/** Renders the skeleton that a visitor sees during loading. */
export function loadingView(host: Host, shape: Parameters<typeof skeleton>[0]): TemplateResult {
  const words = host.formats.say('Loading…');
  host.announce(words);
  return html`<slot name="loading">${skeleton(shape, words)}</slot>`;
}

/** Renders a failure. Every failure has the same sentence, except a malformed filter, which the page itself has set. */
export function unavailableView(host: Host, { code }: Failure): TemplateResult {
  host.announce('');
  const message = code === 'INVALID_FILTER' ? 'The filter of this embed is not valid.' : UNAVAILABLE_MESSAGE;
  return html`<slot name="error">${failureNotice(host.formats.say(message))}</slot>`;
}

/** Returns whether two sources of one resource have other answers. */
export function isOtherQuestion(a: Source, b: Source): boolean {
  return a.filter !== b.filter || a.steps !== b.steps || a.reader !== b.reader;
}

/** Returns whether two sources are the same resource, whatever their filters. */
export function isSameResource(a: Source, b: Source): boolean {
  return a.server === b.server && a.path === b.path && a.kind === b.kind;
}

/**
 * Creates the access to `source`. Without `getToken` the token never changes; with it, the refresh part renews the
 * token.
 */
export function createAccess(
  host: Host,
  source: Source,
  credentials: Credentials,
  listener: TokenListener,
): EmbedControllerOptions['access'] {
  const { token, getToken } = credentials;
  if (getToken === undefined) return { token: () => token, renew: () => undefined, release() {} };
  let refreshAccess: ReturnType<RefreshPart['access']> | undefined;
  const access = async (): Promise<Access> => {
    const part = await host.load('refresh');
    refreshAccess ??= part.access({ token, getToken }, source, listener);
    return refreshAccess;
  };
  return {
    token: async () => (await access()).token(),
    renew: async (refused) => (await access()).renew(refused),
    release: () => refreshAccess?.release(),
  };
}
