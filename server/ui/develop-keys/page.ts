import { html, nothing } from 'lit';
import { KEY_SCOPE_NAMES, type KeyScope } from '../../../router/key-scopes.ts';
import type { Client } from '../api-client/client.ts';
import { shownOnce, shownOnceStyles } from '../code/shown-once.ts';
import { attributeField, attributesOf, attributeTags, roleFields, rolesOf } from '../parts/account-fields.ts';
import { formatWhen } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import type { MenuItem } from '../parts/menu.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { origin, session } from '../shell/page-context.ts';
import { roleTitle } from '../shell/role-title.ts';
import { formStyles } from '../styles/form-styles.ts';
import { plusIcon } from '../styles/icons.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { createKey, type KeyEntry, readKeys, revokeKey, setKeyAttributes } from './requests.ts';
import '../code/code-block.ts';
import '../parts/form-dialog.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

const SCOPE_TITLES: Readonly<Record<KeyScope, string>> = {
  query: msg('Ask data'),
  documents: msg('Read and write documents'),
  embeds: msg('Make embed tokens'),
  data: msg('Bring in data and change models'),
  administration: msg('Administration'),
};

/** Lists the API keys of the tenant, makes and revokes them. */
export class DevelopKeys extends ListPage<readonly KeyEntry[]> {
  static override properties = { made: { state: true } };
  static override styles = [shared, formStyles, listStyles, shownOnceStyles];

  /** The key that was made last, while it is shown. */
  declare made: string;

  constructor() {
    super();
    this.made = '';
  }

  protected override load(client: Client, signal: AbortSignal) {
    return readKeys(client, signal);
  }

  get #rolesInUse(): readonly string[] {
    const { state } = this.data;
    return state.status === 'ready' ? state.value.flatMap(({ roles }) => roles) : [];
  }

  #create(): void {
    this.ask(
      {
        title: msg('Create an API key'),
        fields: [
          {
            name: 'label',
            label: msg('What is it for?'),
            value: '',
            hint: msg('Such as the program that will use it.'),
          },
          ...roleFields(['ROLE_USER'], this.#rolesInUse),
          {
            name: 'scopes',
            label: msg('May call'),
            value: KEY_SCOPE_NAMES.filter((name) => name !== 'administration').join('\n'),
            choices: KEY_SCOPE_NAMES.map((value) => ({ value, title: SCOPE_TITLES[value] })),
          },
          {
            name: 'expires',
            label: msg('Valid to the end of'),
            value: '',
            type: 'date',
            isOptional: true,
            hint: msg('Empty: until it is revoked.'),
          },
          attributeField({}),
        ],
        action: msg('Create key'),
        submit: async (values) => {
          const { label = '', scopes = '', expires = '' } = values;
          const chosen = scopes.split('\n').filter((scope) => scope !== '');
          if (chosen.length === 0) throw new Error(msg('Choose at least one thing that the key may call.'));
          this.made = await createKey(session.client, {
            label,
            roles: rolesOf(values),
            attributes: attributesOf(values),
            ...(chosen.length === KEY_SCOPE_NAMES.length ? {} : { scopes: chosen }),
            ...(expires === '' ? {} : { expiresAt: new Date(`${expires}T23:59:59.999`).toISOString() }),
          });
          await this.updateComplete;
          // After the dialog has closed and given the focus back.
          requestAnimationFrame(() => this.renderRoot.querySelector<HTMLElement>('#made')?.focus());
        },
      },
      '',
    );
  }

  #menuOf({ id, label, attributes }: KeyEntry): readonly MenuItem[] {
    return [
      {
        label: msg('Attributes…'),
        act: () =>
          this.ask(
            {
              title: msg(str`Attributes of ${label}`),
              note: msg('They decide which rows the key reads, from its next request on.'),
              fields: [attributeField(attributes)],
              action: msg('Save'),
              submit: (values) => setKeyAttributes(session.client, id, attributesOf(values)),
            },
            msg(str`The attributes of ${label} are saved.`),
          ),
      },
      {
        label: msg('Revoke…'),
        isDanger: true,
        act: () =>
          this.ask(
            {
              title: msg(str`Revoke ${label}?`),
              note: msg('Programs with this key are refused from their next request on. This cannot be undone.'),
              fields: [],
              action: msg('Revoke'),
              isDanger: true,
              submit: () => revokeKey(session.client, id),
            },
            msg(str`${label} is revoked.`),
          ),
      },
    ];
  }

  #row(key: KeyEntry) {
    const { label, roles, attributes, scopes, lastUsedAt, expiresAt } = key;
    const hasExpired = expiresAt !== undefined && expiresAt.getTime() <= Date.now();
    return html`<li class="row">
      <span class="name">${label}${hasExpired ? html` <span class="tag bad">${msg('Expired')}</span>` : nothing}</span>
      <span class="about">
        ${roles.map((role) => html`<span class="tag ${role === 'ROLE_ADMIN' ? 'accent' : ''}">${roleTitle(role)}</span>`)}
        ${attributeTags(attributes).map((each) => html`<span class="tag">${each}</span>`)}
        <span>${scopes === undefined ? msg('may call everything') : scopes.map((scope) => (isScope(scope) ? SCOPE_TITLES[scope] : scope)).join(', ')}</span> ·
        <span>${lastUsedAt === undefined ? msg('never used') : msg(str`last used ${formatWhen(lastUsedAt)}`)}</span>
        ${expiresAt === undefined || hasExpired ? nothing : html` · <span>${msg(str`until ${formatWhen(expiresAt)}`)}</span>`}
      </span>
      <span class="end"><ui-menu label=${msg(str`Actions of ${label}`)} .items=${this.#menuOf(key)}></ui-menu></span>
    </li>`;
  }

  #madeKey() {
    return shownOnce({
      heading: msg('Copy the key now'),
      note: msg('It is shown only once. Keep it where your program finds it, never in a page.'),
      text: this.made,
      copyCaption: msg('Copy key'),
      more: html`<ui-code caption="curl" .of=${msg('the key')} .text=${`curl -H 'Authorization: Bearer ${this.made}' \\\n  '${origin}/rest/service/api/session'`}></ui-code>`,
      hide: () => {
        this.made = '';
      },
    });
  }

  #list(keys: readonly KeyEntry[]) {
    if (keys.length === 0)
      return html`<div class="empty"><h2>${msg('No API keys yet')}</h2>
        <p>${msg('A program that calls this server needs a key. Give it the roles and scopes that it needs, no more.')}</p></div>`;
    return html`<ul class="rows">${keys.map((key) => this.#row(key))}</ul>`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('API keys')}>
        <span slot="note">${msg('For programs and agents that call this server. Pages use embed tokens instead.')}</span>
        ${this.isAnswered ? html`<button class="button primary" type="button" @click=${this.#create}>${plusIcon}${msg('Create key')}</button>` : nothing}
      </ui-page-head>
      <ui-section-links current="develop-keys"></ui-section-links>
      ${this.#madeKey()}
      ${guardedView('administrators', () =>
        remoteView(
          this.data.state,
          (keys) => this.#list(keys),
          () => void this.read(),
        ),
      )}
      <ui-form-dialog></ui-form-dialog>
    `;
  }
}

function isScope(text: string): text is KeyScope {
  return KEY_SCOPE_NAMES.some((name) => name === text);
}

customElements.define('ui-develop-keys', DevelopKeys);
