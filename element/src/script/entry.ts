import type { ChartModule } from '../chart/chart.ts';
import { EmbedElement } from '../embed-element.ts';
import { register } from '../register.ts';

/** File name of the chart module beside this script; written in by the build. */
declare const CHARTS_FILE: string;

// Must be read while the script runs: later there is no current script. Written as type="module" there never is one.
const script = document.currentScript ?? document.querySelector('script[src*="service-embed"]');
const home = script instanceof HTMLScriptElement && script.src ? script.src : document.baseURI;

class ScriptServiceEmbed extends EmbedElement {
  protected override loadCharts(): Promise<ChartModule> {
    // An address and not a specifier, so that this file stays small and charts come from where it came from.
    return import(/* @vite-ignore */ new URL(CHARTS_FILE, home).href);
  }
}

register(ScriptServiceEmbed);
