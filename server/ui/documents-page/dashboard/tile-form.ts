/** The questions that the settings of a tile ask, and the tile that their answers make. */
import { isChartMode } from '../../../../router/chart-modes.ts';
import type { FormField } from '../../parts/form-dialog.ts';
import { MODE_CHOICES } from '../../share/appearance.ts';
import { msg } from '../../words/words.ts';
import type { Dashboard } from './draft.ts';
import type { Tile } from './layout.ts';

type Values = Readonly<Record<string, string>>;

/** Returns the fields of the settings of a tile. `names` are the fields that a filter may have, or the metrics that a number may show. */
export function tileFields(tile: Tile, { tiles }: Dashboard, names: readonly string[]): readonly FormField[] {
  const title: FormField = { name: 'title', label: msg('Title'), value: tile.title ?? '', isOptional: true };
  switch (tile.kind) {
    case 'text':
      return [title, ...textFields(tile)];
    case 'filter': {
      const driven = tiles.filter(({ query }) => query !== undefined);
      return [
        title,
        {
          name: 'field',
          label: msg('Field'),
          value: tile.field ?? '',
          suggestions: names,
          hint: msg('The dataset and the field, such as stores.region.'),
        },
        {
          name: 'drives',
          label: msg('Tiles that it filters'),
          value: (tile.drives ?? driven.map(({ id }) => id)).join('\n'),
          choices: driven.map(({ id, title: name = id }) => ({ value: id, title: name })),
        },
      ];
    }
    default:
      return [
        title,
        {
          name: 'form',
          label: msg('Show as'),
          value: tile.kind === 'chart' ? (tile.chartType ?? 'bar') : tile.kind,
          options: [
            { value: 'table', title: msg('Table') },
            { value: 'kpi', title: msg('Number') },
            ...MODE_CHOICES.map(([value, name]) => ({ value, title: name })),
          ],
        },
        {
          name: 'measure',
          label: msg('Column of the number'),
          value: tile.measure ?? names[0] ?? '',
          isOptional: true,
          suggestions: names,
          hint: msg('For a number: the key of a metric, such as net_sales.'),
        },
        ...clickFields(tile, tiles),
      ];
  }
}

/** Returns the question which tiles a click in a tile narrows in embeds; none where there is no other tile with data. */
function clickFields(tile: Tile, tiles: Dashboard['tiles']): readonly FormField[] {
  const others = tiles.filter(({ id, query }) => query !== undefined && id !== tile.id);
  if (tile.kind === 'kpi' || others.length === 0) return [];
  return [
    {
      name: 'drives',
      label: msg('Tiles that a click filters in embeds'),
      value: (tile.drives ?? []).join('\n'),
      choices: others.map(({ id, title = id }) => ({ value: id, title })),
    },
  ];
}

/** Returns the fields of a text. */
export function textFields({ text = '', format = 'plain' }: Pick<Tile, 'text' | 'format'>): readonly FormField[] {
  return [
    { name: 'text', label: msg('Text'), value: text, isLong: true },
    {
      name: 'format',
      label: msg('Written as'),
      value: format,
      options: [
        { value: 'markdown', title: msg('Markdown') },
        { value: 'plain', title: msg('Plain text') },
      ],
      hint: msg('In Markdown, # begins a heading, - an item of a list, **bold**, *italics*, [link](https://…).'),
    },
  ];
}

/** Returns the members of a text. */
export function textMembers({
  title = '',
  text = '',
  format = 'plain',
}: Values): Pick<Tile, 'title' | 'text' | 'format'> {
  return { ...(title === '' ? {} : { title }), text, ...(format === 'plain' ? {} : { format }) };
}

/** Returns a tile with its settings. */
export function withSettings(tile: Tile, values: Values, { tiles }: Dashboard): Tile {
  const { title: _, chartType: __, measure: ___, ...rest } = tile;
  const title = values.title === undefined || values.title === '' ? {} : { title: values.title };
  switch (tile.kind) {
    case 'text': {
      const { format: ____, ...plain } = rest;
      return { ...plain, ...textMembers(values) };
    }
    case 'filter': {
      const { drives: ____, ...filter } = rest;
      const drives = (values.drives ?? '').split('\n').filter(Boolean);
      const all = tiles.filter(({ query }) => query !== undefined).length === drives.length;
      return { ...filter, ...title, field: values.field ?? '', ...(all ? {} : { drives }) };
    }
    default: {
      const form = values.form ?? 'table';
      const { drives: ____, ...plain } = rest;
      const driven = (values.drives ?? '').split('\n').filter(Boolean);
      const clicked = driven.length === 0 ? plain : { ...plain, drives: driven };
      if (form === 'kpi') return { ...plain, ...title, kind: 'kpi', measure: values.measure ?? '' };
      if (isChartMode(form)) return { ...clicked, ...title, kind: 'chart', chartType: form };
      return { ...clicked, ...title, kind: 'table' };
    }
  }
}
