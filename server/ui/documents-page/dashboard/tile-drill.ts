/** The form of what a click in a tile leads to. */
import { isObject, type JsonObject } from '../../api-client/json.ts';
import type { DrillSubject } from '../../explore/drill/drill-dialog.ts';
import type { Source } from '../../explore/state/draft.ts';
import { session } from '../../shell/page-context.ts';
import { answerReader } from '../answers.ts';
import type { Tile } from './layout.ts';
import { Questions, type TileQuestion } from './questions.ts';

/** Returns what the form asks about a tile. */
export function drillSubject(tile: Tile, apply: DrillSubject['apply']): DrillSubject {
  return {
    name: tile.title ?? tile.id,
    drill: tile.drill,
    async read(signal) {
      const asked = await new Questions().of(tile);
      return { answer: await answerReader(session.client, asked)(signal), source: sourceOf(asked) };
    },
    apply,
  };
}

function sourceOf({ source }: TileQuestion): Source {
  const { cube = '', connection = '', model = '' }: JsonObject = isObject(source.request) ? source.request : {};
  return source.surface === 'cube'
    ? { surface: 'cube', names: { cube: String(cube) } }
    : { surface: 'semantic', names: { connection: String(connection), model: String(model) } };
}
