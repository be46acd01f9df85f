import { isRecord } from '../api/json.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { SettingProblem } from '../events.ts';
import { CHART_SETTINGS, type ChartSettings, type Setting } from '../generated/chart-settings.ts';

export interface CheckedSettings {
  readonly settings: ChartSettings;
  readonly problems: readonly SettingProblem[];
}

const NOTHING: CheckedSettings = { settings: {}, problems: [] };
const checked = new WeakMap<Answer['columns'], Map<string, CheckedSettings>>();

/**
 * Checks the settings of a chart against their table and the columns of the answer. A later layer replaces the members of
 * an earlier one. Equal settings of one answer give one object.
 */
export function readChartSettings({ columns }: Answer, layers: readonly unknown[]): CheckedSettings {
  const key = layers.map((layer) => (typeof layer === 'string' ? layer : JSON.stringify(layer ?? null))).join('\n');
  if (/^(null\n?)*$/.test(key)) return NOTHING;
  const byText = checked.get(columns) ?? new Map<string, CheckedSettings>();
  checked.set(columns, byText);
  const result = byText.get(key) ?? checkLayers(columns, layers);
  byText.set(key, result);
  return result;
}

function checkLayers(columns: Answer['columns'], layers: readonly unknown[]): CheckedSettings {
  const problems: SettingProblem[] = [];
  const check = checker(
    columns.map(({ key }) => key),
    problems,
  );
  const settings: Record<string, unknown> = {};
  for (const layer of layers) {
    const value = typeof layer === 'string' ? parseJson(layer) : layer;
    if (value === undefined || value === null) {
      if (typeof layer === 'string') problems.push({ place: 'chart', message: 'This is no JSON.', available: [] });
      continue;
    }
    const read = check({ type: 'group', members: CHART_SETTINGS }, value, 'chart');
    if (isRecord(read)) Object.assign(settings, read);
  }
  return { settings, problems };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Check = (setting: Setting, value: unknown, place: string) => unknown;

/** Returns a function that returns the legal part of a value; undefined where there is none. */
function checker(columnKeys: readonly string[], problems: SettingProblem[]): Check {
  const refuse = (place: string, message: string, available: readonly string[] = []): undefined => {
    problems.push({ place, message, available });
  };
  const check: Check = (setting, value, place) => {
    switch (setting.type) {
      case 'choice':
        return typeof value === 'string' && setting.values.includes(value)
          ? value
          : refuse(place, `Use one of: ${setting.values.join(', ')}.`, setting.values);
      case 'boolean':
        return typeof value === 'boolean' ? value : refuse(place, 'Use true or false.', ['true', 'false']);
      case 'number': {
        const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, isInteger } = setting;
        if (
          Number.isFinite(value) &&
          typeof value === 'number' &&
          value >= min &&
          value <= max &&
          (!isInteger || Number.isInteger(value))
        )
          return value;
        const kind = isInteger ? 'a whole number' : 'a number';
        return refuse(place, Number.isFinite(max) ? `Use ${kind} from ${min} to ${max}.` : `Use ${kind}.`);
      }
      case 'text':
        return typeof value === 'string' ? value : refuse(place, 'Use a text.');
      case 'column':
        return typeof value === 'string' && columnKeys.includes(value)
          ? value
          : refuse(place, 'Use the key of a column of the answer.', columnKeys);
      case 'colour':
        return typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value)
          ? value
          : refuse(place, 'Use a colour such as #2f6fb8.');
      case 'list':
        if (!Array.isArray(value)) return refuse(place, 'Use a list.');
        if (value.length > setting.maxItems)
          refuse(place, `Use at most ${setting.maxItems} entries; the others are left out.`);
        return value
          .slice(0, setting.maxItems)
          .map((each, index) => check(setting.of, each, `${place}[${index}]`))
          .filter((each) => each !== undefined);
      case 'map':
      case 'group': {
        if (!isRecord(value)) return refuse(place, 'Use an object.');
        const most = setting.type === 'map' ? setting.maxItems : Number.POSITIVE_INFINITY;
        if (Object.keys(value).length > most) refuse(place, `Use at most ${most} names; the others are left out.`);
        const entries = Object.entries(value)
          .slice(0, most)
          .flatMap(([name, each]) => {
            const path = `${place}.${name}`;
            const inner = setting.type === 'group' ? ownMember(setting.members, name) : setting.of;
            const read =
              inner === undefined
                ? refuse(
                    path,
                    'There is no such setting.',
                    setting.type === 'group' ? Object.keys(setting.members) : [],
                  )
                : check(inner, each, path);
            return read === undefined ? [] : [[name, read] as const];
          });
        // Without a prototype: a member may be called `constructor`.
        return Object.assign(Object.create(null), Object.fromEntries(entries));
      }
    }
  };
  return check;
}

function ownMember(members: Readonly<Record<string, Setting>>, name: string): Setting | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
