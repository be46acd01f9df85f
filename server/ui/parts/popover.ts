import { css, html, LitElement } from 'lit';
import { shared } from '../styles/shared.ts';

/** Distance from the anchor and from the edges of the window, in pixels. */
const GAP = 6;
/** Narrower windows show the content as a sheet at their lower edge. */
const SHEET_BELOW = 600;

/** A box or a point that a popover stands beside. */
export type Anchor = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom'>;

/** Shows its content above the page, beside an anchor. Escape and a click elsewhere close it; fires `closed`. */
export class Popover extends LitElement {
  static override properties = { label: {} };
  static override styles = [
    shared,
    css`
      :host { display: contents; }
      [popover] {
        position: fixed; inset: auto; margin: 0; padding: 0; overflow: auto; max-width: calc(100vw - 12px); max-height: min(560px, calc(100dvh - 12px));
        border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body);
      }
      [popover]:popover-open { animation: appear 120ms ease-out; }
      [popover]:focus { outline: none; }
      @keyframes appear { from { opacity: 0; transform: translateY(-4px); } }
      @media (prefers-reduced-motion: reduce) { [popover]:popover-open { animation: none; } }
    `,
  ];

  /** The name that screen readers announce. */
  declare label: string;
  #anchor: (() => Anchor) | undefined;
  #returnTo: HTMLElement | undefined;

  constructor() {
    super();
    this.label = '';
  }

  get isOpen(): boolean {
    return this.#box?.matches(':popover-open') === true;
  }

  /** Opens beside an element or a box. The focus moves into the content, and back to `returnTo` at the end. */
  async open(anchor: Element | Anchor, returnTo?: HTMLElement): Promise<void> {
    await this.updateComplete;
    this.#anchor = () => (anchor instanceof Element ? anchor.getBoundingClientRect() : anchor);
    this.#returnTo = returnTo ?? (anchor instanceof HTMLElement ? anchor : undefined);
    if (!this.isOpen) this.#box?.showPopover();
    this.reposition();
    this.#box?.focus({ preventScroll: true });
  }

  close(): void {
    if (this.isOpen) this.#box?.hidePopover();
  }

  /** Places the content beside the anchor, after its size has changed. */
  reposition(): void {
    const box = this.#box;
    const anchor = this.#anchor?.();
    if (!box || !anchor || !this.isOpen) return;
    const [width, height] = [innerWidth, innerHeight];
    if (width < SHEET_BELOW) {
      Object.assign(box.style, { left: '6px', right: '6px', top: 'auto', bottom: '6px', width: 'auto' });
      return;
    }
    Object.assign(box.style, { right: 'auto', bottom: 'auto' });
    const size = box.getBoundingClientRect();
    const left = Math.max(GAP, Math.min(anchor.left, width - size.width - GAP));
    const below = anchor.bottom + GAP;
    const fits = below + size.height <= height - GAP;
    const top = fits ? below : Math.max(GAP, Math.min(below, height - size.height - GAP));
    Object.assign(box.style, { left: `${left}px`, top: `${top}px` });
  }

  get #box(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[popover]');
  }

  #toggled({ newState }: ToggleEvent): void {
    if (newState !== 'closed') return;
    const focused = this.getRootNode();
    const isInside = this.#box?.matches(':focus-within') === true;
    if (focused instanceof ShadowRoot || focused instanceof Document) {
      if (isInside || focused.activeElement === null || focused.activeElement === document.body)
        this.#returnTo?.focus({ preventScroll: true });
    }
    this.dispatchEvent(new Event('closed'));
  }

  protected override render() {
    return html`<div popover tabindex="-1" role="dialog" aria-label=${this.label} @toggle=${this.#toggled}><slot @slotchange=${this.reposition}></slot></div>`;
  }
}

customElements.define('ui-popover', Popover);
