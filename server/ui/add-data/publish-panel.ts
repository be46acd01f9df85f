import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { alertIcon, doneIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { type Draft, hasHierarchies } from './draft.ts';
import { findDraftProblems } from './draft-problems.ts';
import type { Profile } from './profile.ts';
import { type Published, publish } from './requests.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$/;

/** Publishes the model under a name, or explains why the user cannot. */
export class PublishPanel extends LitElement {
  static override properties = {
    draft: { attribute: false },
    profile: { attribute: false },
    connectionId: {},
    suggestion: {},
    canPublish: { type: Boolean },
    isBusy: { state: true },
    complaint: { state: true },
    published: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      :host { border: 1px solid var(--line); border-radius: 14px; background: var(--paper); }
      form, .outcome { display: grid; gap: 8px 16px; padding: 20px; }
      @media (min-width: 720px) { form { grid-template-columns: minmax(0, 1fr) minmax(200px, 300px) auto; align-items: end; } }
      h2 { font-size: 18px; }
      .lead { color: var(--muted); font-size: 14px; margin-top: 3px; }
      .button.primary { min-height: 40px; padding-inline: 20px; }
      .wrong, .cube { grid-column: 1 / -1; }
      .cube { display: grid; gap: 2px; margin-top: 6px; }
      .switch { display: flex; align-items: center; gap: 8px; width: fit-content; font-size: 14px; font-weight: 550; cursor: pointer; }
      .switch input { width: 18px; height: 18px; margin: 0; accent-color: var(--accent); }
      .cube .fine { color: var(--muted); font-size: 13px; padding-inline-start: 26px; }
      .outcome { grid-template-columns: auto minmax(0, 1fr); align-items: start; }
      .outcome > svg { width: 22px; height: 22px; margin-top: 2px; color: var(--muted); }
      .outcome.done > svg { color: var(--good); }
      .outcome.done { background: var(--good-wash); border-radius: 13px; }
      .outcome ul { display: grid; gap: 4px; margin-top: 6px; font-size: 14px; }
      .acts { display: flex; flex-wrap: wrap; gap: 10px; margin-top: 14px; }
    `,
  ];

  declare draft: Draft | undefined;
  /** The data, with the rows without a match. */
  declare profile: Profile | undefined;
  declare connectionId: string | undefined;
  declare suggestion: string;
  declare canPublish: boolean;
  declare isBusy: boolean;
  declare complaint: string;
  declare published: Published | undefined;

  constructor() {
    super();
    this.draft = undefined;
    this.profile = undefined;
    this.connectionId = undefined;
    this.suggestion = '';
    this.canPublish = false;
    this.isBusy = false;
    this.complaint = '';
    this.published = undefined;
  }

  async #publish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { draft, connectionId, isBusy } = this;
    if (!(event.currentTarget instanceof HTMLFormElement) || draft === undefined || connectionId === undefined) return;
    if (isBusy) return;
    const form = new FormData(event.currentTarget);
    const name = String(form.get('name') ?? '').trim();
    const hasCube = form.get('cube') !== null;
    const [problem] = findDraftProblems(draft);
    if (problem !== undefined) this.complaint = problem;
    else if (!NAME.test(name))
      this.complaint = msg('Use letters, digits, hyphens and underscores, at most 60 characters.');
    else {
      this.isBusy = true;
      this.complaint = '';
      try {
        this.published = await publish(session.client, { draft, connectionId, name, hasCube });
        // The button that had the focus is gone.
        await this.updateComplete;
        this.renderRoot.querySelector<HTMLElement>('.outcome a')?.focus({ preventScroll: true });
      } catch (error) {
        session.reportFailure(error);
        this.complaint = error instanceof Error ? error.message : msg('The model could not be published.');
      } finally {
        this.isBusy = false;
      }
    }
  }

  #done({ datasources, dashboard }: Published) {
    const broken = datasources.filter(({ status }) => status !== 'READY');
    return html`
      <div class="outcome done" role="status">
        ${doneIcon}
        <div>
          <h2>${broken.length === 0 ? msg('Published') : msg('Published, with problems')}</h2>
          <ul>${datasources.map(({ name, status, problems }) => html`<li>${status === 'READY' ? msg(html`<code>${name}</code> is ready.`) : html`${msg(html`<code>${name}</code> is not ready.`)} ${problems.join(' ')}`}</li>`)}</ul>
          <p class="acts">
            ${dashboard === '' ? nothing : html`<a class="button primary" href=${withBasePath(`/ui/view/?path=${encodeURIComponent(dashboard)}`)}>${msg('Open the dashboard')}</a>`}
            <a class="button" href=${withBasePath('/ui/')}>${msg('Your documents')}</a>
          </p>
        </div>
      </div>
    `;
  }

  /** Offers a cube beside the model, and says which rows it leaves out. */
  #cube() {
    const unmatched = (this.profile?.tables ?? [])
      .flatMap(({ reading }) => reading?.findings ?? [])
      .filter(({ kind }) => kind === 'unmatched_rows')
      .map(({ message }) => message.replace(/(?<=[.)]) .*$/, ''));
    const earns = this.draft !== undefined && hasHierarchies(this.draft);
    return html`
      <div class="cube">
        <label class="switch"><input type="checkbox" name="cube" .defaultChecked=${earns} aria-describedby="about-cube" />${msg('Publish a cube, too')}</label>
        <p class="fine" id="about-cube">${
          earns
            ? msg('Your data has hierarchies: a cube drills down along them, and answers MDX.')
            : msg('Your data has no hierarchies except dates, so a cube adds little. It answers MDX.')
        }
          ${unmatched.length === 0 ? nothing : html`${msg('Rows without a match are a group of their own in the model, the dashboard and the cube.')} ${unmatched.join(' ')}`}</p>
      </div>
    `;
  }

  protected override render() {
    if (this.published !== undefined) return this.#done(this.published);
    if (!this.canPublish)
      return html`<div class="outcome">${alertIcon}<div><h2>${msg('Publishing needs an administrator')}</h2>
        <p class="lead">${msg('A published model is available to other users, so only administrators can publish. Ask one to bring the same file.')}</p></div></div>`;
    return html`
      <form @submit=${this.#publish} novalidate>
        <div><h2>${msg('Publish')}</h2><p class="lead">${msg(html`Creates a semantic model, saved queries and a dashboard in <code>shared/</code>.`)}</p></div>
        <label class="field">${msg('Name')}<input class="input" name="name" .defaultValue=${this.suggestion} maxlength="60" autocomplete="off" spellcheck="false"
          aria-invalid=${this.complaint === '' ? nothing : 'true'} aria-describedby="wrong" /></label>
        <button class="button primary" aria-disabled=${this.isBusy}>${this.isBusy ? msg('Publishing…') : msg('Publish')}</button>
        ${this.#cube()}
        <p class="wrong" id="wrong" role="alert">${this.complaint}</p>
      </form>
    `;
  }
}

customElements.define('ui-publish', PublishPanel);
