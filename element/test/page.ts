import { expect, fixtureCleanup, waitUntil as waitUntilWithin } from '@open-wc/testing';
import { getInstanceByDom } from 'echarts/core';
import type { ServiceEmbed } from '../src/index.ts';
import type { Network } from './network.ts';

/** Puts an element with these attributes on the page, as a host page would. */
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
  const found = root.querySelector<HTMLElement>(selector);
  if (!found) throw new Error(`Nothing matches ${selector}.`);
  return found;
}

export function texts(root: ParentNode, selector: string): readonly string[] {
  return all(root, selector).map((each) => each.textContent.trim());
}

/** Waits until `isTrue`, for as long as a busy machine may take to load a part of the element. */
export function waitUntil(
  isTrue: () => boolean | Promise<boolean>,
  message?: string,
  { timeout = 12_000 }: { readonly timeout?: number } = {},
): Promise<void> {
  return waitUntilWithin(isTrue, message, { timeout });
}

/** Waits until `selector` is in the element. */
export async function shows(element: Element, selector: string): Promise<HTMLElement> {
  await waitUntil(() => inside(element).querySelector(selector) !== null, `${selector} never appeared`);
  return one(inside(element), selector);
}

/** Returns what ECharts was told to draw in the (first) chart of `root`, once it is drawn. */
export async function drawn(element: Element, within = ''): Promise<Readonly<Record<string, unknown>>> {
  const chart = await shows(element, `${within} .chart svg`);
  const host = chart.closest<HTMLElement>('.chart');
  const instance = host && getInstanceByDom(host);
  if (!instance) throw new Error('There is a drawing without a chart.');
  return instance.getOption();
}

/** Lists the types, names and data of the series of an option. */
export function seriesOf(option: Readonly<Record<string, unknown>>): readonly Readonly<Record<string, unknown>>[] {
  expect(option.series).to.be.an('array');
  return Array.isArray(option.series) ? option.series : [];
}

export async function axeFindsNothing(element: Element): Promise<void> {
  // A skeleton fades in; its contrast is what it has when it stands.
  for (const animation of inside(element).getAnimations()) {
    if (animation.effect?.getComputedTiming().iterations === 1) animation.finish();
  }
  await expect(element).to.be.accessible();
}
