import { z } from 'zod';
import { list } from './bounded.ts';
import { CHART_SETTINGS, type ChartSettings, type Setting, type SettingTable } from './chart-settings.ts';
import { MAX_NAME_LENGTH } from './limits.ts';

/** Keys of columns are at most two names and a grain. */
const MAX_COLUMN_KEY_LENGTH = 3 * MAX_NAME_LENGTH;
const MAX_MEMBER_LENGTH = 1_000;

/** The settings of a chart as a schema, made from the table. */
export const ChartSettingsSchema: z.ZodType<ChartSettings> = groupSchema(CHART_SETTINGS).meta({ id: 'ChartSettings' });

function groupSchema(table: SettingTable): z.ZodType<ChartSettings> {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(table).map(([name, setting]) => [
        name,
        settingSchema(setting).optional().describe(setting.description),
      ]),
    ),
  );
}

function settingSchema(setting: Setting): z.ZodType {
  switch (setting.type) {
    case 'choice':
      return z.enum(setting.values);
    case 'boolean':
      return z.boolean();
    case 'number': {
      const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, isInteger } = setting;
      const number = isInteger ? z.int() : z.number();
      return (Number.isFinite(min) ? number.min(min) : number).max(Number.isFinite(max) ? max : Number.MAX_VALUE);
    }
    case 'text':
      return z.string().max(setting.maxLength);
    case 'column':
      return z.string().min(1).max(MAX_COLUMN_KEY_LENGTH);
    case 'colour':
      return z.string().regex(/^#[0-9a-f]{6}$/i, 'Give a colour as #rrggbb.');
    case 'list':
      return list(settingSchema(setting.of), setting.maxItems);
    case 'map': {
      const { maxItems } = setting;
      return z
        .record(z.string().max(MAX_MEMBER_LENGTH), settingSchema(setting.of))
        .refine((map) => Object.keys(map).length <= maxItems, `At most ${maxItems} entries.`);
    }
    case 'group':
      return groupSchema(setting.members);
  }
}
