import { ServiceEmbed } from './element.ts';
import { register } from './register.ts';

register(ServiceEmbed);

export type { ExportedImage, GetToken, GivenToken, TokenRequest } from './contract.ts';
export type * from './events.ts';
export type { FailureCode } from './read/failure.ts';
export type { EmbedFilter, FilterCondition } from './read/filter.ts';
export { ServiceEmbed };
