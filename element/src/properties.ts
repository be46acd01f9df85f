/** The properties and events of `<service-embed>`, as the wrappers for frameworks name them. */
import type { ServiceEmbed } from './element.ts';
import type { ServiceEmbedEventMap } from './events.ts';

export const PROPERTY_NAMES = [
  'server',
  'path',
  'kind',
  'token',
  'render',
  'mode',
  'height',
  'theme',
  'filter',
  'measure',
  'compare',
  'series',
  'chart',
  'export',
  'locale',
  'timeZone',
  'refreshInterval',
  'getToken',
  'reader',
  'filters',
  'drill',
  'filterState',
  'stateParam',
  'heading',
] as const satisfies readonly (keyof ServiceEmbed)[];

type PropertyName = (typeof PROPERTY_NAMES)[number];

/** The properties of `<service-embed>`, all optional. */
export type ServiceEmbedProperties = { [N in PropertyName]?: ServiceEmbed[N] };

/** The properties as templates of the frameworks write them on the tag itself, where attributes do too. */
export type ServiceEmbedTagProperties = ServiceEmbedProperties & {
  'time-zone'?: string;
  'refresh-interval'?: number | string;
  'state-param'?: string;
};

/** For each event the name of its handler in the wrapper for React. */
export const HANDLER_NAMES = {
  'service-ready': 'onServiceReady',
  'service-load': 'onServiceLoad',
  'service-render': 'onServiceRender',
  'service-error': 'onServiceError',
  'service-select': 'onServiceSelect',
  'service-filter': 'onServiceFilter',
  'service-filter-state': 'onServiceFilterState',
  'service-token-expiring': 'onServiceTokenExpiring',
} as const satisfies Record<keyof ServiceEmbedEventMap, string>;
