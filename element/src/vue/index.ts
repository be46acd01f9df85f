/**
 * `<ServiceEmbed>` for Vue 3: a component with typed properties and events, for which the compiler needs no setting. The
 * element is loaded in the browser, after the page is shown, so the component also works on a server that renders pages.
 *
 * The module declares the tag `<service-embed>` for templates too, for apps that import the element themselves.
 *
 * @example
 * ```ts
 * import { ServiceEmbed } from 'service-embed/vue';
 * import { h } from 'vue';
 *
 * const desk = h(ServiceEmbed, {
 *   server: 'https://analytics.example.com',
 *   path: 'shared/demo/sales-by-region.service',
 *   render: 'chart',
 *   'onService-select': ({ detail }) => console.info(detail.record),
 * });
 * ```
 */
import { type DefineComponent, defineComponent, h, onMounted, shallowRef } from 'vue';
import type { ServiceEmbed as ServiceEmbedElement } from '../element.ts';
import type { ServiceEmbedEventMap } from '../events.ts';
import { PROPERTY_NAMES, type ServiceEmbedProperties, type ServiceEmbedTagProperties } from '../properties.ts';

type Emits = { [N in keyof ServiceEmbedEventMap]: (event: ServiceEmbedEventMap[N]) => void };

/** Accepts every event: their types are checked when a template is compiled. */
const accept = (): boolean => true;
const EMITS: { readonly [N in keyof ServiceEmbedEventMap]: (event: ServiceEmbedEventMap[N]) => boolean } = {
  'service-ready': accept,
  'service-load': accept,
  'service-render': accept,
  'service-error': accept,
  'service-select': accept,
  'service-filter': accept,
  'service-filter-state': accept,
  'service-token-expiring': accept,
};

/** Gives a template ref of the component the element, with its methods, once it is on the page. */
export interface ServiceEmbedInstance {
  readonly element: ServiceEmbedElement | undefined;
}

/** Shows a saved query, a dashboard or a box for questions. Its template ref is a `ServiceEmbedInstance`. */
export const ServiceEmbed = defineComponent(
  (props: ServiceEmbedProperties, { emit, expose, slots }) => {
    const element = shallowRef<ServiceEmbedElement>();
    expose({ element });
    onMounted(() => void import('../index.ts'));
    return () =>
      h(
        'service-embed',
        {
          ref: element,
          ...propertiesOf(props),
          'onService-ready': (event: ServiceEmbedEventMap['service-ready']) => emit('service-ready', event),
          'onService-load': (event: ServiceEmbedEventMap['service-load']) => emit('service-load', event),
          'onService-render': (event: ServiceEmbedEventMap['service-render']) => emit('service-render', event),
          'onService-error': (event: ServiceEmbedEventMap['service-error']) => emit('service-error', event),
          'onService-select': (event: ServiceEmbedEventMap['service-select']) => emit('service-select', event),
          'onService-filter': (event: ServiceEmbedEventMap['service-filter']) => emit('service-filter', event),
          'onService-filter-state': (event: ServiceEmbedEventMap['service-filter-state']) =>
            emit('service-filter-state', event),
          'onService-token-expiring': (event: ServiceEmbedEventMap['service-token-expiring']) =>
            emit('service-token-expiring', event),
        },
        slots,
      );
  },
  { name: 'ServiceEmbed', props: [...PROPERTY_NAMES], emits: EMITS },
);

/** Names the properties so that Vue never writes them as attributes. A server writes none of them. */
function propertiesOf(props: ServiceEmbedProperties): Readonly<Record<string, unknown>> {
  if (typeof window === 'undefined') return {};
  return Object.fromEntries(PROPERTY_NAMES.map((name) => [`.${name}`, props[name]]));
}

declare module 'vue' {
  interface GlobalComponents {
    'service-embed': DefineComponent<
      ServiceEmbedTagProperties,
      object,
      object,
      Record<never, never>,
      Record<never, never>,
      object,
      object,
      Emits
    >;
  }
}
