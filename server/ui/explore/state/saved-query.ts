/** A saved query as a draft, and a draft as a saved query. */
import { isChartMode } from '../../../../router/chart-modes.ts';
import { isObject, readObject, type JsonObject as Unknown } from '../../api-client/json.ts';
import { asJson } from './address.ts';
import { type Draft, RENDER_NAMES, type RenderName, type Surface, type View } from './draft.ts';
import { type JsonObject, withMembers } from './json-value.ts';
import { fromRequest } from './typed-request.ts';

/** A query as documents have it: the surface with its request, how charts draw it, and its analysis. */
export interface ExploreQuery {
  readonly source: { readonly surface: 'semantic' | 'cube'; readonly request: JsonObject };
  readonly chart?: JsonObject;
  readonly analytics?: JsonObject;
  /** What a click leads to in embeds. Tiles have their own. */
  readonly drill?: JsonObject;
  /** How the answer is shown now: as its reader has chosen, else as proposed. */
  readonly render: RenderName;
  readonly mode?: string;
  /** The settings with which a chart shows it now: the chosen ones over the proposed. */
  readonly shown: JsonObject;
  /** The chosen form, as saved queries have it; absent while the page proposes one. */
  readonly view?: JsonObject;
  /** Proposed from the names in the request, such as "Net sales by Category". */
  readonly title: string;
}

/** A document that the explorer edits. */
export interface SavedQuery {
  readonly path: string;
  /** Names the content that was read; a save asks for it. */
  readonly version: string;
  readonly document: Unknown;
}

/** Reads the draft of a saved query, or of a tile with its own query. */
export function draftOf(document: Unknown): Draft {
  const source = readObject(document.source, 'its source');
  const surface: Surface = source.surface === 'cube' ? 'cube' : 'semantic';
  return {
    ...fromRequest(surface, asJson(readObject(source.request, 'its request'))),
    view: viewOf(document),
    analytics: isObject(document.analytics) ? asJson(document.analytics) : undefined,
    drill: isObject(document.drill) ? asJson(document.drill) : undefined,
  };
}

function viewOf({ view, chart }: Unknown): View {
  const chosen = isObject(view) ? view : {};
  const settings: JsonObject = isObject(chart) ? asJson(chart) : {};
  const render = RENDER_NAMES.find((each) => each === chosen.render);
  // The settings name the kind too, for embeds without the attribute.
  const mode = [chosen.mode, settings.kind].find((each) => typeof each === 'string' && isChartMode(each));
  const others = withMembers(settings, { kind: undefined });
  return {
    ...(render === undefined ? {} : { render }),
    ...(typeof mode === 'string' && isChartMode(mode) ? { mode } : {}),
    ...(Object.keys(others).length === 0 ? {} : { chart: others }),
  };
}

/** Returns a document with another query. Members that the explorer does not know stay. */
export function withQuery(document: Unknown, { source, chart, analytics, drill, view }: ExploreQuery): Unknown {
  const { chart: _, analytics: __, view: ___, drill: ____, ...rest } = document;
  return {
    ...rest,
    source,
    ...(chart === undefined ? {} : { chart }),
    ...(analytics === undefined ? {} : { analytics }),
    ...(drill === undefined ? {} : { drill }),
    ...(view === undefined ? {} : { view }),
  };
}
