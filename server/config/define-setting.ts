import { z } from 'zod';

/**
 * A setting of the product: its schema, its default and its description. A property such as `service.query.maxRows`
 * can be set in `<home>/service.properties`, or in the environment as `SERVICE_QUERY_MAXROWS` (capital letters, dots
 * as underscores), which wins.
 */
export interface Setting<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly default: z.output<Schema>;
  readonly description: string;
  /** The log hides its value. */
  readonly isSecret?: true;
  /** According to the interface, an invalid value is replaced by the default and does not stop the start. */
  readonly invalidFallsBack?: true;
  /** The environment variable, where its name does not follow from the property. */
  readonly environment?: string;
}

export const setting = <Schema extends z.ZodType>(definition: Setting<Schema>): Setting<Schema> => definition;

export const whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(least, `must be at least ${least}`).max(most, `must be at most ${most}`));

export const dollars = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be an amount of US dollars such as 12.50')
  .transform(Number);

export const rate = z.string().regex(/^\d{1,7}\/\d{1,9}$/, 'must be calls in a minute and in an hour, such as 60/1000');

export const yesOrNo = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');
