/**
 * `<service-embed>` in templates of Vue 3. Use: `import type {} from 'service-embed/vue'`, and tell the compiler that it
 * is an element: `isCustomElement: (tag) => tag === 'service-embed'`.
 */
import type { DefineComponent } from 'vue';
import type { ServiceEmbedEventMap } from '../dist/package/types/index.d.ts';
import type { ServiceEmbedProperties } from './properties.d.ts';

type Emits = { [N in keyof ServiceEmbedEventMap]: (event: ServiceEmbedEventMap[N]) => void };

declare module 'vue' {
  interface GlobalComponents {
    'service-embed': DefineComponent<ServiceEmbedProperties, object, object, object, object, object, object, Emits>;
  }
}
