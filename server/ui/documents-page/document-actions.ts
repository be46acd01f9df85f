import { html, LitElement } from 'lit';
import { documentPagePath, exploreAddress } from '../documents/document-address.ts';
import type { DocumentEntry } from '../documents/document-entries.ts';
import {
  EXTENSIONS,
  moveDocument,
  readDocument,
  readVersions,
  removeDocument,
  restoreVersion,
  writeDocument,
} from '../documents/repository.ts';
import { FormDialog } from '../parts/form-dialog.ts';
import type { MenuItem } from '../parts/menu.ts';
import { showToast } from '../parts/toast.ts';
import { ShareDialog } from '../share/share-dialog.ts';
import { session } from '../shell/page-context.ts';
import { forget } from '../shell/recent.ts';
import { msg, str } from '../words/words.ts';
import { UsesDialog } from './uses-dialog.ts';
import { VersionsDialog } from './versions-dialog.ts';

/** What an action has done: the document is at `path` now, or nowhere. */
export type DocumentChanged = CustomEvent<{ readonly path: string | undefined }>;

type Target = Pick<DocumentEntry, 'path' | 'kind' | 'title'>;

/** Contains the dialogs of the actions on a document. Fires `changed` after each change. */
export class DocumentActions extends LitElement {
  /** Returns the menu of a document. */
  items(of: DocumentEntry): readonly MenuItem[] {
    return [
      ...(of.kind === 'query' ? [{ label: msg('Edit in explorer'), address: exploreAddress(of.path) }] : []),
      { label: msg('Rename'), act: () => this.#rename(of) },
      { label: msg('Move'), act: () => this.#move(of) },
      { label: msg('Duplicate'), act: () => this.#copy(of) },
      { label: msg('Share'), act: () => this.share(of) },
      { label: msg('Uses'), act: () => this.#uses(of) },
      { label: msg('Versions'), act: () => this.#versions(of) },
      { label: msg('Delete'), act: () => void this.#remove(of), isDanger: true },
    ];
  }

  share(of: DocumentEntry): void {
    const dialog = this.renderRoot.querySelector('ui-share');
    if (dialog instanceof ShareDialog) void dialog.open(of);
  }

  #changed(path: string | undefined): void {
    this.dispatchEvent(new CustomEvent('changed', { detail: { path } }) satisfies DocumentChanged);
  }

  #ask(question: Parameters<FormDialog['ask']>[0]): void {
    const dialog = this.renderRoot.querySelector('ui-form-dialog');
    if (dialog instanceof FormDialog) void dialog.ask(question);
  }

  #rename({ path, title }: Target): void {
    this.#ask({
      title: msg('Rename'),
      fields: [{ name: 'title', label: msg('Title'), value: title }],
      action: msg('Rename'),
      submit: async ({ title: renamed = '' }) => {
        const { document, version } = await readDocument(session.client, path);
        await writeDocument(session.client, path, { ...document, title: renamed }, version);
        showToast(msg(str`Renamed to “${renamed}”.`), () => void this.#restoreTitle(path, title));
        this.#changed(path);
      },
    });
  }

  async #restoreTitle(path: string, title: string): Promise<void> {
    await this.#report(async () => {
      const { document, version } = await readDocument(session.client, path);
      await writeDocument(session.client, path, { ...document, title }, version);
    });
    this.#changed(path);
  }

  #move({ path, kind, title }: Target): void {
    this.#ask({
      title: msg(str`Move “${title}”`),
      note: msg(
        'Its versions move with it. Tokens and public access end, because pages name the path; dashboards follow a moved query.',
      ),
      fields: [{ name: 'path', label: msg('Path'), value: path, hint: pathHint(kind) }],
      action: msg('Move'),
      submit: async ({ path: to = '' }) => {
        await moveDocument(session.client, path, to);
        forget(documentPagePath(path));
        showToast(msg(str`Moved to ${to}.`), () => void this.#moveBack(to, path));
        this.#changed(to);
      },
    });
  }

  async #moveBack(from: string, to: string): Promise<void> {
    await this.#report(() => moveDocument(session.client, from, to));
    this.#changed(to);
  }

  #copy({ path, kind, title }: Target): void {
    this.#ask({
      title: msg(str`Duplicate “${title}”`),
      fields: [
        { name: 'title', label: msg('Title'), value: msg(str`${title} (copy)`) },
        { name: 'path', label: msg('Path'), value: copyPath(path, kind), hint: pathHint(kind) },
      ],
      action: msg('Duplicate'),
      submit: async ({ title: renamed = '', path: to = '' }) => {
        const { document } = await readDocument(session.client, path);
        await writeDocument(session.client, to, { ...document, title: renamed }, 'new');
        showToast(msg(str`Duplicated as “${renamed}”.`), () => void this.#removeCopy(to));
        this.#changed(to);
      },
    });
  }

  async #removeCopy(path: string): Promise<void> {
    await this.#report(() => removeDocument(session.client, path));
    this.#changed(undefined);
  }

  #uses(of: DocumentEntry): void {
    const dialog = this.renderRoot.querySelector('ui-document-uses');
    if (dialog instanceof UsesDialog) void dialog.open(of);
  }

  #versions({ path }: Target): void {
    const dialog = this.renderRoot.querySelector('ui-versions');
    if (dialog instanceof VersionsDialog) void dialog.open(path);
  }

  #restored(): void {
    showToast(msg('The version is restored.'));
    const dialog = this.renderRoot.querySelector('ui-versions');
    if (dialog instanceof VersionsDialog) this.#changed(dialog.path);
  }

  async #remove({ path, title }: Target): Promise<void> {
    const removed = await this.#report(() => removeDocument(session.client, path));
    if (!removed) return;
    forget(documentPagePath(path));
    showToast(msg(str`Deleted “${title}”. Its tokens and public access have ended.`), () => void this.#bringBack(path));
    this.#changed(undefined);
  }

  async #bringBack(path: string): Promise<void> {
    await this.#report(async () => {
      const [last] = await readVersions(session.client, path);
      if (last !== undefined) await restoreVersion(session.client, path, last.id);
    });
    this.#changed(path);
  }

  /** Does something without a dialog; a failure is a message. Returns whether it succeeded. */
  async #report(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      session.reportFailure(error);
      showToast(error instanceof Error ? error.message : msg('Something went wrong. Try again.'));
      return false;
    }
  }

  protected override render() {
    return html`<ui-form-dialog></ui-form-dialog><ui-versions @restored=${this.#restored}></ui-versions><ui-document-uses @share=${({ detail }: CustomEvent<DocumentEntry>) => this.share(detail)}></ui-document-uses><ui-share></ui-share>`;
  }
}

function pathHint(kind: DocumentEntry['kind']): string {
  return msg(str`A folder below shared/ or homes/your-name/, and a name that ends in ${EXTENSIONS[kind]}.`);
}

/** Returns a path beside the document, or in the user's own folder where they may not write there. */
function copyPath(path: string, kind: DocumentEntry['kind']): string {
  const stem = path.slice(0, -EXTENSIONS[kind].length);
  const { user } = session;
  const isWritable = user?.administrator === true || !path.startsWith('shared/');
  const name = isWritable ? stem : `homes/${user?.name ?? ''}/${stem.split('/').at(-1) ?? ''}`;
  return `${name}-copy${EXTENSIONS[kind]}`;
}

customElements.define('ui-document-actions', DocumentActions);
