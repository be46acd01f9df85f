import { html, nothing } from 'lit';
import type { Client } from '../api-client/client.ts';
import { attributeField, attributesOf, attributeTags, roleFields, rolesOf } from '../parts/account-fields.ts';
import { ListPage } from '../parts/list-page.ts';
import type { MenuItem } from '../parts/menu.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { session } from '../shell/page-context.ts';
import { roleTitle } from '../shell/role-title.ts';
import { formStyles } from '../styles/form-styles.ts';
import { plusIcon } from '../styles/icons.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { addUser, readUsers, setAttributes, setDisabled, setPassword, setRoles, type UserEntry } from './requests.ts';
import '../parts/form-dialog.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

/** From this number of users on, the list can be searched. */
const SEARCHED_FROM = 8;
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });

/** Lists the users of the tenant, and adds, changes and disables them. */
export class AdminUsers extends ListPage<readonly UserEntry[]> {
  static override properties = { search: { state: true } };
  static override styles = [shared, formStyles, listStyles];

  declare search: string;

  constructor() {
    super();
    this.search = '';
  }

  protected override load(client: Client, signal: AbortSignal) {
    return readUsers(client, signal);
  }

  get #rolesInUse(): readonly string[] {
    const { state } = this.data;
    return state.status === 'ready' ? state.value.flatMap(({ roles }) => roles) : [];
  }

  #add(): void {
    this.ask(
      {
        title: msg('Add a user'),
        fields: [
          { name: 'name', label: msg('User name'), value: '', hint: msg('Letters, digits and . _ @ -') },
          passwordField(),
          ...roleFields(['ROLE_USER'], this.#rolesInUse),
          attributeField({}),
        ],
        action: msg('Add'),
        submit: async (values) => {
          const { name = '', password = '' } = values;
          await addUser(session.client, { name, password, roles: rolesOf(values), attributes: attributesOf(values) });
        },
      },
      msg('The user is added, and can sign in.'),
    );
  }

  #menuOf(user: UserEntry): readonly MenuItem[] {
    const { name, roles, attributes, isDisabled } = user;
    return [
      {
        label: msg('Roles…'),
        act: () =>
          this.ask(
            {
              title: msg(str`Roles of ${name}`),
              note: msg('They apply from the next request on.'),
              fields: roleFields(roles, this.#rolesInUse),
              action: msg('Save'),
              submit: async (values) => {
                await setRoles(session.client, name, rolesOf(values));
              },
            },
            msg(str`The roles of ${name} are saved.`),
          ),
      },
      {
        label: msg('Attributes…'),
        act: () =>
          this.ask(
            {
              title: msg(str`Attributes of ${name}`),
              note: msg('They decide which rows the user sees, from the next request on.'),
              fields: [attributeField(attributes)],
              action: msg('Save'),
              submit: async (values) => {
                await setAttributes(session.client, name, attributesOf(values));
              },
            },
            msg(str`The attributes of ${name} are saved.`),
          ),
      },
      {
        label: msg('Reset password…'),
        act: () =>
          this.ask(
            {
              title: msg(str`A new password for ${name}`),
              note: msg('The user is signed out everywhere.'),
              fields: [passwordField()],
              action: msg('Set password'),
              submit: async ({ password = '' }) => {
                await setPassword(session.client, name, password);
              },
            },
            msg(str`${name} has a new password.`),
          ),
      },
      isDisabled
        ? {
            label: msg('Enable'),
            act: () =>
              void this.change((client) => setDisabled(client, name, false), msg(str`${name} can sign in again.`)),
          }
        : {
            label: msg('Disable…'),
            isDanger: true,
            act: () =>
              this.ask(
                {
                  title: msg(str`Disable ${name}?`),
                  note: msg(
                    'The user is signed out at once and cannot sign in. Pages that show documents with the user’s tokens show nothing. Documents stay, and you can enable the user again.',
                  ),
                  fields: [],
                  action: msg('Disable'),
                  isDanger: true,
                  submit: async () => {
                    await setDisabled(session.client, name, true);
                  },
                },
                msg(str`${name} is disabled.`),
              ),
          },
    ];
  }

  #row(user: UserEntry) {
    const { name, roles, attributes, createdAt, isDisabled, hasPassword } = user;
    const isOwn = session.user?.name === name;
    return html`<li class="row">
      <span class="name">${name}${isOwn ? html` <span class="tag">${msg('you')}</span>` : nothing}
        ${isDisabled ? html` <span class="tag bad">${msg('Disabled')}</span>` : nothing}</span>
      <span class="about">
        ${roles.map((role) => html`<span class="tag ${role === 'ROLE_ADMIN' ? 'accent' : ''}">${roleTitle(role)}</span>`)}
        ${attributeTags(attributes).map((each) => html`<span class="tag">${each}</span>`)}
        <span>${msg(str`since ${date.format(createdAt)}`)}${hasPassword ? nothing : html` · ${msg('signs in with the identity provider')}`}</span>
      </span>
      <span class="end"><ui-menu label=${msg(str`Actions of ${name}`)} .items=${this.#menuOf(user)}></ui-menu></span>
    </li>`;
  }

  #typed({ currentTarget }: InputEvent): void {
    if (currentTarget instanceof HTMLInputElement) this.search = currentTarget.value;
  }

  #list(users: readonly UserEntry[]) {
    const sought = this.search.trim().toLowerCase();
    const shown = users.filter(({ name, roles, attributes }) =>
      [name, ...roles.map(roleTitle), ...attributeTags(attributes)].some((text) => text.toLowerCase().includes(sought)),
    );
    return html`
      ${
        users.length < SEARCHED_FROM
          ? nothing
          : html`<div class="tools"><input class="input search" type="search" aria-label=${msg('Search users')} placeholder=${msg('Search users')} @input=${this.#typed} /></div>`
      }
      ${shown.length === 0 ? html`<div class="rows"><p class="none">${msg('No user has these words.')}</p></div>` : html`<ul class="rows">${shown.map((user) => this.#row(user))}</ul>`}`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Users')}>
        <span slot="note">${msg('Roles decide which models and fields a user sees, attributes which rows.')}</span>
        ${this.isAnswered ? html`<button class="button primary" type="button" @click=${this.#add}>${plusIcon}${msg('Add a user')}</button>` : nothing}
      </ui-page-head>
      <ui-section-links current="admin-users"></ui-section-links>
      ${guardedView('administrators', () =>
        remoteView(
          this.data.state,
          (users) => this.#list(users),
          () => void this.read(),
        ),
      )}
      <ui-form-dialog></ui-form-dialog>
    `;
  }
}

function passwordField() {
  return {
    name: 'password',
    label: msg('Password'),
    value: '',
    type: 'password',
    hint: msg('At least 12 characters. Give it to the user yourself.'),
  } as const;
}

customElements.define('ui-admin-users', AdminUsers);
