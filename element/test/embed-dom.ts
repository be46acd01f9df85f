import { expect, fixtureCleanup } from '@open-wc/testing';
import { getInstanceByDom } from 'echarts/core';
import type { ServiceEmbed } from '../src/index.ts';
import { frames } from './frames.ts';
import type { Network } from './network.ts';

/** Puts an element with these attributes on the page, like a host page. */
export function place(attributes: Readonly<Record<string, string>> = {}): ServiceEmbed {
  const element = document.createElement('service-embed');
  const all = { server: 'https://analytics.test', path: 'shared/sales.service', token: 'tx-secret', ...attributes };
  for (const [name, value] of Object.entries(all)) element.setAttribute(name, value);
  document.body.append(element);
  return element;
}

/** Puts an element on the page and answers its first request. */
export async function placeAnswered(
  network: Network,
  body: unknown,
  attributes: Readonly<Record<string, string>> = {},
  status = 200,
): Promise<ServiceEmbed> {
  const element = place(attributes);
  await waitUntil(() => network.calls.length > 0);
  network.call().answer(body, status);
  return element;
}

export function clearPage(): void {
  for (const element of document.querySelectorAll('service-embed')) element.remove();
  fixtureCleanup();
}

export function inside(element: Element): ShadowRoot {
  if (!element.shadowRoot) throw new Error('The element has no open shadow root.');
  return element.shadowRoot;
}

export function all(root: ParentNode, selector: string): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(selector)];
}

export function one(root: ParentNode, selector: string): HTMLElement {
  const match = root.querySelector<HTMLElement>(selector);
  if (!match) throw new Error(`Nothing matches ${selector}.`);
  return match;
}

export function texts(root: ParentNode, selector: string): readonly string[] {
  return all(root, selector).map((each) => each.textContent.trim());
}

/** Time in which a busy machine loads a part of the element. */
const WAIT_LIMIT_MS = 12_000;

/** Waits until `isTrue`. Checks at each frame, so that it also works under a `Clock`. */
export async function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  message = 'never became true',
): Promise<void> {
  const begun = performance.now();
  while (!(await isTrue())) {
    if (performance.now() - begun > WAIT_LIMIT_MS) throw new Error(message);
    await frames(1);
  }
}

/** Waits until `selector` is in the element. */
export async function shows(element: Element, selector: string): Promise<HTMLElement> {
  await waitUntil(() => inside(element).querySelector(selector) !== null, `${selector} never appeared`);
  return one(inside(element), selector);
}

/** Returns the ECharts option of the first chart of `root`, once it is drawn. */
export async function drawn(element: Element, within = ''): Promise<Readonly<Record<string, unknown>>> {
  const chart = await shows(element, `${within} .chart svg`);
  const host = chart.closest<HTMLElement>('.chart');
  const instance = host && getInstanceByDom(host);
  if (!instance) throw new Error('There is a drawing without a chart.');
  return instance.getOption();
}

/** Lists the types, names and data of the series of an option. */
export function readSeries(option: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  expect(option.series).to.be.an('array');
  return Array.isArray(option.series) ? option.series : [];
}

export async function axeFindsNothing(element: Element): Promise<void> {
  // A skeleton fades in; its contrast counts after the fading.
  for (const animation of inside(element).getAnimations()) {
    if (animation.effect?.getComputedTiming().iterations === 1) animation.finish();
  }
  await expect(element).to.be.accessible();
}
