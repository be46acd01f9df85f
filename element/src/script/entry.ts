import { EmbedElement } from '../embed-element.ts';
import type { ElementParts, PartName } from '../types.ts';

/** Version and hash in the names of the parts; written in by the build. */
declare const PARTS: string;

// Must be read while the script runs: later there is no current script. Written as type="module" there never is one.
const script = document.currentScript ?? document.querySelector('script[src*="service-embed"]');
const home = script instanceof HTMLScriptElement && script.src ? script.src : document.baseURI;

class ScriptServiceEmbed extends EmbedElement {
  protected override loadPart<N extends PartName>(name: N): Promise<ElementParts[N]> {
    // An address and not a specifier, so that this file stays small and parts come from where it came from.
    return import(/* @vite-ignore */ new URL(`service-embed-${name}-${PARTS}.js`, home).href);
  }
}

// Where there is an element already, from whatever script, this one has ended before it came here: see `vite.config.ts`.
customElements.define('service-embed', ScriptServiceEmbed);
