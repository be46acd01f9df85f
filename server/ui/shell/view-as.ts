import { css, html, LitElement, nothing } from 'lit';
import type { ViewAs } from '../api-client/client.ts';
import { attributeField, attributesOf, attributeTags } from '../parts/account-fields.ts';
import { FormDialog } from '../parts/form-dialog.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { keepViewAs } from './kept-view-as.ts';
import { session } from './page-context.ts';
import { roleTitle } from './role-title.ts';
import { SessionController } from './session.ts';

/**
 * Lets an administrator view all pages as somebody else: `choose()` asks for a role and attributes. Meanwhile a bar names them, and
 * ends it.
 */
export class ViewAsBar extends LitElement {
  static override styles = [
    shared,
    css`
      :host { display: contents; }
      aside {
        position: fixed; inset-block-end: 16px; inset-inline: 16px; z-index: 25; display: flex; align-items: center; gap: 8px 16px; width: fit-content; max-width: min(720px, calc(100vw - 32px));
        margin-inline: auto; padding: 8px 8px 8px 16px; border-radius: 10px; background: var(--ink); color: var(--paper); box-shadow: var(--shade); font: 14px / 20px var(--body);
      }
      p { overflow-wrap: anywhere; }
      .button { flex: none; border-color: transparent; }
      @media (max-width: 680px) { aside { inset-block-end: calc(64px + env(safe-area-inset-bottom)); } }
      @media print { aside { display: none; } }
      @media (forced-colors: active) { aside { border: 2px solid CanvasText; } }
    `,
  ];

  constructor() {
    super();
    new SessionController(this, session);
  }

  /** Asks for a role and attributes. */
  async choose(): Promise<void> {
    const dialog = this.renderRoot.querySelector('ui-form-dialog');
    if (!(dialog instanceof FormDialog)) return;
    const { role = '', attributes = {} } = session.client.viewAs ?? {};
    await dialog.ask({
      title: msg('View as somebody else'),
      note: msg(
        'You see at most what both of you may see. Nothing can be changed meanwhile, and the audit log has it.',
      ),
      fields: [
        {
          name: 'role',
          label: msg('Role'),
          value: role,
          hint: msg('As models and cubes name it: ROLE_USER. Without one, your own roles stay.'),
          suggestions: ['ROLE_USER'],
          isOptional: true,
        },
        attributeField(attributes),
      ],
      action: msg('View as'),
      submit: async (values) => {
        const { role: chosenRole = '' } = values;
        const chosen = attributesOf(values);
        const hasAttributes = Object.keys(chosen).length > 0;
        if (chosenRole === '' && !hasAttributes) throw new Error(msg('Give a role, attributes, or both.'));
        await this.#begin({
          ...(chosenRole === '' ? {} : { role: chosenRole }),
          ...(hasAttributes ? { attributes: chosen } : {}),
        });
      },
    });
  }

  /** Begins once the server has accepted it. The page is loaded again, so that nothing on it stays from before. */
  async #begin(viewAs: ViewAs): Promise<void> {
    const before = session.client.viewAs;
    session.client.viewAs = viewAs;
    try {
      await session.client.get('/rest/service/api/session', () => undefined);
    } catch (error) {
      session.client.viewAs = before;
      throw error;
    }
    keepViewAs(viewAs);
    location.reload();
  }

  #end(): void {
    keepViewAs(undefined);
    location.reload();
  }

  #bar({ role, attributes }: ViewAs) {
    const names = [...(role === undefined ? [] : [roleTitle(role)]), ...attributeTags(attributes ?? {})].join(' · ');
    return html`<aside aria-label=${msg('View as')}>
      <p>${msg(str`You view as ${names}. Nothing can be changed.`)}</p>
      <button class="button" type="button" @click=${this.#end}>${msg('Stop viewing as')}</button>
    </aside>`;
  }

  protected override render() {
    const { viewAs } = session.client;
    return html`${viewAs === undefined ? nothing : this.#bar(viewAs)}<ui-form-dialog></ui-form-dialog>`;
  }
}

customElements.define('ui-view-as', ViewAsBar);
