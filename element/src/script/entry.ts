import { EmbedElement } from '../embed-element.ts';
import type { ElementParts, PartName } from '../types.ts';

/** Version and hash in the file names of the parts. The build defines it. */
declare const PARTS: string;

// Read while the script runs: later there is no current script. A script of type="module" never has one.
const script = document.currentScript ?? document.querySelector('script[src*="service-embed"]');
const home = script instanceof HTMLScriptElement && script.src ? script.src : document.baseURI;

class ScriptServiceEmbed extends EmbedElement {
  protected override loadPart<N extends PartName>(name: N): Promise<ElementParts[N]> {
    // An address keeps the part out of this file, and loads it from the server that sent this file.
    return import(/* @vite-ignore */ new URL(`service-embed-${name}-${PARTS}.js`, home).href);
  }
}

// The script never comes here where the element is registered: `UNLESS_REGISTERED` in `vite.config.ts` ends it before.
customElements.define('service-embed', ScriptServiceEmbed);
