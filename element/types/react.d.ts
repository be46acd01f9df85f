/**
 * `<service-embed>` in JSX of React 19, which sets what is a property as a property: objects and functions too.
 * Use: `import type {} from 'service-embed/react'`.
 */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { ServiceEmbed, ServiceEmbedEventMap } from '../dist/package/types/index.d.ts';
import type { ServiceEmbedProperties } from './properties.d.ts';

type Listeners = { [N in keyof ServiceEmbedEventMap as `on${N}`]?: (event: ServiceEmbedEventMap[N]) => void };

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'service-embed': DetailedHTMLProps<HTMLAttributes<ServiceEmbed>, ServiceEmbed> &
        ServiceEmbedProperties &
        Listeners;
    }
  }
}
