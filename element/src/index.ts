import { ServiceEmbed } from './element.ts';
import { register } from './register.ts';

register(ServiceEmbed);

export type { FailureCode } from './api/failure.ts';
export type { EmbedFilter, FilterCondition, FilterOperator } from './api/filter.ts';
export type * from './events.ts';
export type { ExportedImage, GetToken, GivenToken, TokenRequest } from './types.ts';
export { ServiceEmbed };
