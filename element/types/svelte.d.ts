/** `<service-embed>` in templates of Svelte 5. Use: `import type {} from 'service-embed/svelte'`. */
import type { HTMLAttributes } from 'svelte/elements';
import type { ServiceEmbed, ServiceEmbedEventMap } from '../dist/package/types/index.d.ts';
import type { ServiceEmbedTagProperties } from '../dist/package/types/properties.d.ts';

type Listeners = { [N in keyof ServiceEmbedEventMap as `on${N}`]?: (event: ServiceEmbedEventMap[N]) => void };

declare module 'svelte/elements' {
  interface SvelteHTMLElements {
    'service-embed': HTMLAttributes<ServiceEmbed> & ServiceEmbedTagProperties & Listeners;
  }
}
