/**
 * Registers `<service-embed>` and exports its types.
 *
 * @example
 * ```ts
 * import 'service-embed';
 *
 * const embed = document.createElement('service-embed');
 * embed.server = 'https://analytics.example.com';
 * embed.path = 'shared/demo/sales-by-region.service';
 * embed.render = 'chart';
 * embed.mode = 'line';
 * document.body.append(embed);
 * ```
 */
import './register-element.ts';

export type { AnswerReader } from './api/client.ts';
export type { FailureCode } from './api/failure.ts';
export type { EmbedFilter, FilterCondition, FilterOperator } from './api/filter.ts';
export type { DrillStep, FilterChoice, FilterState, SelectedValue } from './api/filter-state.ts';
export { ServiceEmbed } from './element.ts';
export type {
  EmbedDetail,
  ErrorDetail,
  FilterDetail,
  FilterStateDetail,
  LoadDetail,
  ReadyDetail,
  RenderDetail,
  SelectDetail,
  ServiceEmbedEventMap,
  TokenExpiringDetail,
} from './events.ts';
export type { ExportedImage, GetToken, GivenToken, TokenRequest } from './types.ts';
