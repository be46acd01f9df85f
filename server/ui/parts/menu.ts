import { css, html, LitElement, type TemplateResult } from 'lit';
import { shared } from '../styles/shared.ts';

/** One action of a menu. */
export interface MenuItem {
  readonly label: string;
  /** Runs the action; absent for a link. */
  readonly act?: () => void;
  readonly address?: string;
  readonly isDanger?: boolean;
}

/** Shows a button with three dots, and a menu of actions below it. Arrow keys, Home, End and letters move; Escape closes. */
export class Menu extends LitElement {
  static override properties = {
    label: {},
    isWritten: { type: Boolean, attribute: 'written' },
    items: { attribute: false },
  };
  static override styles = [
    shared,
    css`
      :host { display: inline-block; }
      .opener { width: 36px; min-height: 36px; padding: 0; font-size: 18px; }
      .opener.written { width: auto; padding: 0 14px; font-size: 14px; }
      [popover] {
        position: fixed; inset: auto; margin: 0; padding: 4px; min-width: 180px; max-width: calc(100vw - 12px); border: 1px solid var(--line); border-radius: 10px;
        background: var(--paper); color: var(--ink); box-shadow: var(--shade);
      }
      [role='menuitem'] {
        display: block; width: 100%; padding: 8px 12px; border: 0; border-radius: 6px; background: none; color: var(--ink); font: 14px / 20px var(--body);
        text-align: start; text-decoration: none; cursor: pointer;
      }
      [role='menuitem']:hover, [role='menuitem']:focus-visible { background: var(--sunken); color: var(--ink); }
      [role='menuitem'].danger { color: var(--bad); }
    `,
  ];

  /** The name of the button: "Actions of shop". */
  declare label: string;
  /** Shows the name in the button instead of three dots. */
  declare isWritten: boolean;
  declare items: readonly MenuItem[];

  constructor() {
    super();
    this.label = '';
    this.isWritten = false;
    this.items = [];
  }

  get #list(): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>('[popover]');
  }

  get #entries(): readonly HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>('[role=menuitem]')];
  }

  #open(): void {
    const opener = this.renderRoot.querySelector('.opener');
    const list = this.#list;
    if (!list || !opener) return;
    list.showPopover();
    const anchor = opener.getBoundingClientRect();
    const size = list.getBoundingClientRect();
    const below = anchor.bottom + 4;
    const top = below + size.height <= innerHeight - 6 ? below : Math.max(6, anchor.top - size.height - 4);
    list.style.left = `${Math.max(6, Math.min(anchor.right - size.width, innerWidth - size.width - 6))}px`;
    list.style.top = `${top}px`;
    this.#entries[0]?.focus();
  }

  #close(): void {
    this.#list?.hidePopover();
    this.renderRoot.querySelector<HTMLElement>('.opener')?.focus();
  }

  #key(event: KeyboardEvent): void {
    const entries = this.#entries;
    const place = entries.findIndex((each) => each.matches(':focus'));
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: (place + 1) % entries.length,
      ArrowUp: (place - 1 + entries.length) % entries.length,
      Home: 0,
      End: entries.length - 1,
    };
    const next = steps[event.key] ?? this.#placeOfLetter(event.key, place);
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.stopPropagation();
      if (event.key === 'Escape') event.preventDefault();
      this.#close();
    } else if (next !== undefined) {
      event.preventDefault();
      entries[next]?.focus();
    }
  }

  #placeOfLetter(key: string, place: number): number | undefined {
    if (key.length !== 1) return undefined;
    const begins = (item: MenuItem | undefined) => item?.label.toLowerCase().startsWith(key.toLowerCase()) === true;
    const order = this.items.map((_, index) => (place + 1 + index) % this.items.length);
    return order.find((index) => begins(this.items[index]));
  }

  #chosen(item: MenuItem): void {
    this.#close();
    item.act?.();
  }

  #item(item: MenuItem): TemplateResult {
    const tone = item.isDanger === true ? 'danger' : '';
    return item.address === undefined
      ? html`<button class=${tone} role="menuitem" tabindex="-1" type="button" @click=${() => this.#chosen(item)}>${item.label}</button>`
      : html`<a class=${tone} role="menuitem" tabindex="-1" href=${item.address}>${item.label}</a>`;
  }

  protected override render() {
    return html`
      <button class="button opener ${this.isWritten ? 'written' : ''}" type="button" aria-haspopup="menu" aria-label=${this.label} @click=${this.#open}>${this.isWritten ? this.label : '⋯'}</button>
      <div popover role="menu" aria-label=${this.label} @keydown=${this.#key}>${this.items.map((item) => this.#item(item))}</div>
    `;
  }
}

customElements.define('ui-menu', Menu);
