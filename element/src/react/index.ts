/**
 * `<ServiceEmbed>` for React 18 and 19: a component with typed properties and events. The element is loaded in the browser,
 * after the page is shown, so the component also works on a server that renders pages.
 *
 * The module declares the tag `<service-embed>` for JSX too, for apps that import the element themselves.
 *
 * @example
 * ```tsx
 * import { ServiceEmbed } from 'service-embed/react';
 *
 * const desk = (
 *   <ServiceEmbed
 *     server="https://analytics.example.com"
 *     path="shared/demo/sales-by-region.service"
 *     render="chart"
 *     onServiceSelect={({ detail }) => console.info(detail.record)}
 *   />
 * );
 * ```
 */
import {
  createElement,
  type DetailedHTMLProps,
  type ForwardRefExoticComponent,
  forwardRef,
  type HTMLAttributes,
  type RefAttributes,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import type { ServiceEmbed as ServiceEmbedElement } from '../element.ts';
import type { ServiceEmbedEventMap } from '../events.ts';
import {
  HANDLER_NAMES,
  PROPERTY_NAMES,
  type ServiceEmbedProperties,
  type ServiceEmbedTagProperties,
} from '../properties.ts';

type EventName = keyof ServiceEmbedEventMap;
type Handlers = { [N in EventName as (typeof HANDLER_NAMES)[N]]?: (event: ServiceEmbedEventMap[N]) => void };

/** Properties and handlers of the element, and attributes of HTML. */
export type ServiceEmbedProps = ServiceEmbedProperties &
  Handlers &
  Omit<HTMLAttributes<ServiceEmbedElement>, keyof ServiceEmbedProperties>;

/** Shows a saved query, a dashboard or a box for questions. The ref is the element, with its methods. */
export const ServiceEmbed: ForwardRefExoticComponent<ServiceEmbedProps & RefAttributes<ServiceEmbedElement>> =
  forwardRef<ServiceEmbedElement, ServiceEmbedProps>(function ServiceEmbed(props, ref) {
    const element = useRef<ServiceEmbedElement | null>(null);
    const latest = useRef(props);

    useEffect(() => {
      void import('../index.ts');
      const { current } = element;
      if (current === null) return;
      const listeners = EVENT_NAMES.map((name) => [name, (event: Event) => handle(latest.current, event)] as const);
      for (const [name, listener] of listeners) current.addEventListener(name, listener);
      return () => {
        for (const [name, listener] of listeners) current.removeEventListener(name, listener);
      };
    }, []);

    useBeforePaint(() => {
      latest.current = props;
      if (element.current !== null) Object.assign(element.current, propertiesOf(props));
    });

    const place = useCallback(
      (node: ServiceEmbedElement | null) => {
        element.current = node;
        if (typeof ref === 'function') ref(node);
        else if (ref !== null) ref.current = node;
      },
      [ref],
    );
    return createElement('service-embed', { ...attributesOf(props), ref: place });
  });

/** Runs an effect before the element renders for the first time. A server runs no effects, and warns of this one. */
const useBeforePaint = typeof window === 'undefined' ? useEffect : useLayoutEffect;

const EVENT_NAMES = Object.keys(HANDLER_NAMES);
const OWN_NAMES: ReadonlySet<string> = new Set<string>([...PROPERTY_NAMES, ...Object.values(HANDLER_NAMES)]);

/** Returns all properties of the element, `undefined` where a rendering leaves one out. */
function propertiesOf(props: ServiceEmbedProps): ServiceEmbedProperties {
  return Object.fromEntries(PROPERTY_NAMES.map((name) => [name, props[name]]));
}

function attributesOf(props: ServiceEmbedProps): HTMLAttributes<ServiceEmbedElement> {
  return Object.fromEntries(Object.entries(props).filter(([name]) => !OWN_NAMES.has(name)));
}

function handle(handlers: Handlers, event: Event): void {
  const isOf = <N extends EventName>(name: N, one: Event): one is ServiceEmbedEventMap[N] => one.type === name;
  if (isOf('service-ready', event)) handlers.onServiceReady?.(event);
  else if (isOf('service-load', event)) handlers.onServiceLoad?.(event);
  else if (isOf('service-render', event)) handlers.onServiceRender?.(event);
  else if (isOf('service-error', event)) handlers.onServiceError?.(event);
  else if (isOf('service-select', event)) handlers.onServiceSelect?.(event);
  else if (isOf('service-filter', event)) handlers.onServiceFilter?.(event);
  else if (isOf('service-token-expiring', event)) handlers.onServiceTokenExpiring?.(event);
}

type Listeners = { [N in EventName as `on${N}`]?: (event: ServiceEmbedEventMap[N]) => void };

/** The tag itself in JSX of React 19. */
export type ServiceEmbedTag = DetailedHTMLProps<HTMLAttributes<ServiceEmbedElement>, ServiceEmbedElement> &
  ServiceEmbedTagProperties &
  Listeners;

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'service-embed': ServiceEmbedTag;
    }
  }
}
