import type { ServiceEmbed } from '../dist/package/types/index.d.ts';

type Names =
  | 'server'
  | 'path'
  | 'kind'
  | 'token'
  | 'render'
  | 'mode'
  | 'height'
  | 'theme'
  | 'filter'
  | 'measure'
  | 'compare'
  | 'locale'
  | 'timeZone'
  | 'refreshInterval'
  | 'getToken';

/** The properties of `<service-embed>`, all optional, as templates of the frameworks write them. */
export type ServiceEmbedProperties = { [N in Names]?: ServiceEmbed[N] } & {
  'time-zone'?: string;
  'refresh-interval'?: number | string;
};
