import { html, nothing } from 'lit';
import { type Client, RequestFailedError } from '../api-client/client.ts';
import { ListPage } from '../parts/list-page.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { session } from '../shell/page-context.ts';
import { isOperator } from '../shell/session.ts';
import { formStyles } from '../styles/form-styles.ts';
import { plusIcon } from '../styles/icons.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { createTenant, readTenants, removeTenant, type TenantEntry } from './requests.ts';
import '../parts/form-dialog.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });

/** Lists the tenants of the installation, for the administrators of its first tenant. */
export class AdminTenants extends ListPage<readonly TenantEntry[]> {
  static override styles = [shared, formStyles, listStyles];

  protected override load(client: Client, signal: AbortSignal) {
    return readTenants(client, signal);
  }

  protected override get isAnswered(): boolean {
    const { user } = session;
    return user?.administrator === true && isOperator(user);
  }

  #create(): void {
    this.ask(
      {
        title: msg('Add a tenant'),
        note: msg('It has its own users, data, documents and keys. Its folders are made at once.'),
        fields: [{ name: 'name', label: msg('Name'), value: '', hint: msg('Letters, digits and . _ @ -') }],
        action: msg('Add'),
        submit: ({ name = '' }) => createTenant(session.client, name),
      },
      msg('The tenant is added. Make its first administrator with: service user add NAME --tenant TENANT --admin'),
    );
  }

  #remove({ name }: TenantEntry): void {
    this.ask(
      {
        title: msg(str`Remove the tenant ${name}?`),
        note: msg(
          'A tenant with contents is removed only after you type its name. Its users, keys, documents, data and files then go for good.',
        ),
        fields: [
          { name: 'typed', label: msg('Name of the tenant, to remove its contents too'), value: '', isOptional: true },
        ],
        action: msg('Remove'),
        isDanger: true,
        submit: async ({ typed = '' }) => {
          if (typed !== '' && typed !== name) throw new Error(msg(str`That is not ${name}.`));
          try {
            await removeTenant(session.client, name, typed === name);
          } catch (error) {
            // The message of the server names the parameter of its API.
            if (error instanceof RequestFailedError && error.code === 'TENANT_NOT_EMPTY')
              throw new Error(
                error.message.replace(/ Send force=true.*$/, ` ${msg('Type its name to remove all of it.')}`),
              );
            throw error;
          }
        },
      },
      msg(str`${name} is removed.`),
    );
  }

  #row(tenant: TenantEntry) {
    const { name, tier, createdAt } = tenant;
    const isFirst = isOperator({ tenant: name });
    return html`<li class="row">
      <span class="name">${name}${isFirst ? html` <span class="tag accent">${msg('operates this installation')}</span>` : nothing}</span>
      <span class="about">${msg(str`since ${date.format(createdAt)}`)} · ${tier}</span>
      <span class="end">${isFirst ? nothing : html`<ui-menu label=${msg(str`Actions of ${name}`)} .items=${[{ label: msg('Remove…'), act: () => this.#remove(tenant), isDanger: true }]}></ui-menu>`}</span>
    </li>`;
  }

  #content() {
    if (!this.isAnswered)
      return html`<div class="empty"><h2>${msg('Tenants are managed by the operators')}</h2><p>${msg('Only administrators of the first tenant see this page.')}</p></div>`;
    return remoteView(
      this.data.state,
      (tenants) => html`<ul class="rows">${tenants.map((tenant) => this.#row(tenant))}</ul>`,
      () => void this.read(),
    );
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Tenants')}>
        <span slot="note">${msg('Each tenant has its own users, data, documents and keys, and sees nothing of the others.')}</span>
        ${this.isAnswered ? html`<button class="button primary" type="button" @click=${this.#create}>${plusIcon}${msg('Add a tenant')}</button>` : nothing}
      </ui-page-head>
      <ui-section-links current="admin-tenants"></ui-section-links>
      ${guardedView('administrators', () => this.#content())}
      <ui-form-dialog></ui-form-dialog>
    `;
  }
}

customElements.define('ui-admin-tenants', AdminTenants);
