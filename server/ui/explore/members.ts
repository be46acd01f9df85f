import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { session } from '../shell/page-context.ts';
import type { OpenedMembers } from './field-tree.ts';
import { searchMembers } from './requests.ts';
import type { Catalog } from './state/catalog.ts';
import { type Draft, SHELVES } from './state/draft.ts';
import { findThing } from './state/find-thing.ts';
import { valuesOf } from './state/json-value.ts';
import { type Captions, memberWords } from './state/words.ts';
import type { Members } from './tree-rows.ts';

/** Members of a level, or children of a member, that the tree lists. */
const TREE_MEMBERS = 100;
/** Members among which the caption of a named one is looked for. */
const NAMESAKES = 50;
const TIMEOUT_MS = 60_000;

/** Reads the members that the tree opens, and the captions of the members that a request names. */
export class MemberReader implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #catalog: Catalog | undefined;
  #members: ReadonlyMap<string, Members> = new Map();
  #captions: Captions = new Map();
  /** Unique names that were looked up, found or not. */
  readonly #sought = new Set<string>();

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {}

  /** The members of opened places of the tree, by their keys. */
  get members(): ReadonlyMap<string, Members> {
    return this.#members;
  }

  get captions(): Captions {
    return this.#captions;
  }

  /** Forgets everything: another cube has other members. */
  start(catalog: Catalog | undefined): void {
    this.#catalog = catalog;
    this.#members = new Map();
    this.#captions = new Map();
    this.#sought.clear();
  }

  /** Keeps the captions of members that were read elsewhere. */
  learn(named: Iterable<readonly [uniqueName: string, caption: string]>): void {
    const added = [...named].filter(([uniqueName]) => !this.#captions.has(uniqueName));
    if (added.length === 0) return;
    this.#captions = new Map([...this.#captions, ...added]);
    this.#host.requestUpdate();
  }

  async open({ key, level, parent }: OpenedMembers): Promise<void> {
    const catalog = this.#catalog;
    const known = this.#members.get(key);
    if (catalog === undefined || (known !== undefined && known !== 'failed')) return;
    this.#set(key, 'loading');
    const wanted = { q: '', parent, limit: TREE_MEMBERS + 1 };
    try {
      const list = await searchMembers(session.client, catalog, level.item, wanted, AbortSignal.timeout(TIMEOUT_MS));
      if (catalog !== this.#catalog) return;
      this.#set(key, { list: list.slice(0, TREE_MEMBERS), hasMore: list.length > TREE_MEMBERS });
      this.learn(list.map(({ uniqueName, caption }) => [uniqueName, caption]));
    } catch (error) {
      session.reportFailure(error);
      this.#set(key, 'failed');
    }
  }

  #set(key: string, members: Members): void {
    this.#members = new Map([...this.#members, [key, members]]);
    this.#host.requestUpdate();
  }

  /** Looks up the captions of the members that a request names by their unique names. */
  nameMembersOf(draft: Draft): void {
    const catalog = this.#catalog;
    if (catalog?.surface !== 'cube') return;
    for (const item of SHELVES.flatMap((shelf) => draft[shelf])) {
      const level = findThing(item, catalog);
      if (level === undefined) continue;
      for (const name of valuesOf(item, 'members').map(String)) {
        if (!name.startsWith('[') || this.#captions.has(name) || this.#sought.has(name)) continue;
        this.#sought.add(name);
        // Names and captions are searched alike, and the last part of a unique name is the name.
        const wanted = { q: memberWords(name), limit: NAMESAKES };
        searchMembers(session.client, catalog, level.item, wanted, AbortSignal.timeout(TIMEOUT_MS)).then(
          (list) => this.learn(list.map(({ uniqueName, caption }) => [uniqueName, caption])),
          // The chip keeps the last part of the name.
          (error: unknown) => session.reportFailure(error),
        );
      }
    }
  }
}
