/** The declaration of an operation, and the context of a request. */

import type { z } from 'zod';
import type { Caller, Scope } from './capabilities/identity.ts';
import type { Observer } from './capabilities/observer.ts';
import type { Repeat } from './repeated-answer.ts';
import type { Reply } from './reply.ts';

/**
 * The callers that an operation admits.
 * - `public`: anybody
 * - `user`: any authenticated user (session, basic credentials or API key)
 * - `signed-in`: a user by session or password, of any role; a bearer credential only with the administrator's role
 * - `api-key`: a bearer credential of any role
 * - `administrator-key`: a bearer credential with the administrator's role (areas A and B)
 * - `administrator`: a user with the administrator's role
 * - `embed`: anybody; the operation itself checks the embed token or the public grant
 */
export type Access = 'public' | 'user' | 'signed-in' | 'api-key' | 'administrator-key' | 'administrator' | 'embed';

/**
 * Callers that must send the CSRF pair on POST, PUT and DELETE. A bearer key never needs it: no browser sends it by itself.
 * - `session-and-basic`: areas C, D, E, G, H
 * - `session`: area F, where basic credentials need a JSON body (or none) instead
 * - `none`: operations that change nothing of a caller's, such as signing in
 */
export type CsrfRule = 'session-and-basic' | 'session' | 'none';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The path of an operation in REST and the source of each member of its input. */
export interface RestAddress {
  readonly method: HttpMethod;
  /** Path with `{name}` for one segment and `{name+}` for one or more, with their slashes kept. */
  readonly path: `/${string}`;
  /** Members of the input that are query parameters. Numbers and booleans are read from their text. */
  readonly query?: readonly string[];
  /**
   * The part of the input that the body fills: `*` for the whole (beside path and query members), or the one named member.
   * Absent: the operation takes no body.
   */
  readonly body?: '*' | (string & {});
  /** The member of the input that receives the raw body as text of any type, for signed bodies. Excludes `body`. */
  readonly rawBody?: string;
  /** Members of the input that are request headers, by the name of the header in small letters. */
  readonly requestHeaders?: Readonly<Record<string, string>>;
  /** The body may be missing altogether. */
  readonly bodyOptional?: true;
  /** Values of the JSON body at most, where that is not `MAX_JSON_VALUES`. */
  readonly maxJsonValues?: number;
  /** The body is `multipart/form-data`; these members are files (`UploadedFile`), the others text fields. */
  readonly files?: readonly string[];
  /** The body may also be `application/x-www-form-urlencoded`, as a browser's form sends it. */
  readonly form?: true;
  /** Success status: one code (default 200), or one of several chosen from the output. */
  readonly status?: number | { readonly codes: readonly [number, ...number[]]; readonly of: (output: never) => number };
  /** Content type of an output that is text rather than JSON. */
  readonly contentType?: string;
  /** Content types of the files (`FileAnswer`) that the operation answers in place of its output, where its input asks for one. */
  readonly fileTypes?: readonly string[];
  /**
   * The output is an `AsyncIterable<ServerEvent>`, sent as server-sent events while it comes. An error before the first
   * event is answered as everywhere, a later one is an event `error`. Goes with `contentType: 'text/event-stream'`.
   */
  readonly events?: true;
  /** Headers of every answer of this operation, errors included. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Browsers keep the answer for its caller alone, and ask each time whether it still holds. For a read of documents or
   * metadata; not for rows of a warehouse, secrets, or what people did.
   */
  readonly isRevalidated?: true;
  /** Readable from any origin, without credentials; names the request headers such a page may send. */
  readonly crossOrigin?: { readonly requestHeaders: readonly string[] };
}

/** An operation as agents know it over MCP. */
export interface ToolMeta {
  readonly name: string;
  readonly title: string;
  /**
   * Instructions for agents: when to call it, with which input, and how to use the answer. Agents read nothing else about
   * it.
   */
  readonly description: string;
  /** The member of the answer that contains an output that is a list: tools answer objects. */
  readonly listAs?: string;
  /** Members of the input that default to another value for agents. */
  readonly defaults?: Readonly<Record<string, string | number | boolean>>;
  /** Members of the input that agents are not shown. */
  readonly leftOut?: readonly string[];
  /** The tool that takes the same input and describes it. Of this tool's schema only an outline is written. */
  readonly sameAs?: string;
  /** Members of the input that are objects which another tool or its answer describes, each with the words for them. */
  readonly outlines?: Readonly<Record<string, string>>;
  /** Inputs that show how it is called. */
  readonly examples?: readonly object[];
  /**
   * Set where operations of several surfaces are one tool: a call is for this operation if the object in the member `in` (without it, the
   * input) has the member `has`.
   */
  readonly part?: { readonly in?: string; readonly has: string };
  /** True if a call changes something: a document of the caller's. */
  readonly writes?: true;
  /** True for a tool that other tools are made of: agents are not shown it, and cannot call it. */
  readonly isInner?: true;
}

export interface OperationMeta {
  /** One line for the API reference. */
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  readonly csrf?: CsrfRule;
  /** True where an administrator may call it while viewing as somebody else, although it is declared to change something. */
  readonly answersViewers?: true;
  /** True where the operation is switched off: it refuses every caller and reads no body. */
  readonly isOff?: true;
  readonly rest: RestAddress;
  /** The parts of this operation that the interface leaves open. The reference marks them as this product's choice. */
  readonly implementationChoice?: string;
  /** Makes the operation an agent tool, too. */
  readonly tool?: ToolMeta;
}

/** The data about the request that an operation gets in addition to its input. */
export interface OperationContext {
  readonly caller: Caller;
  /** True when the request carried a valid CSRF pair. */
  readonly csrfVerified: boolean;
  /** True when the body was sent as JSON, or there was none. */
  readonly jsonBody: boolean;
  readonly embedToken: string | undefined;
  /** The caller's network address, for rate limits. */
  readonly address: string;
  /** True when the request came over TLS (here or at a trusted proxy). */
  readonly secure: boolean;
  /** The path that the server is served below, such as `/analytics`; empty for none. Cookies and redirects use it. */
  readonly basePath?: string | undefined;
  readonly requestId: string;
  /** Cookies of the request that operations of the process itself (login, logout) need. */
  readonly cookies: Readonly<Record<string, string>>;
  /** Response headers that depend on the outcome. */
  readonly reply: Reply;
  /** Schemas of inputs by the paths of their operations, where raw input still has null for absent members. */
  readonly inputSchema?: ((path: string) => z.ZodType | undefined) | undefined;
  /** Takes an answer that the maker of this context writes in pieces, and returns a placeholder for it. */
  readonly holdBack?: ((output: unknown) => unknown) | undefined;
  /** Takes the way to find the answer to further requests with the same input. */
  readonly repeats?: ((again: Repeat) => void) | undefined;
  /** Watches the operation from outside, whatever its outcome. */
  readonly observer?: Observer | undefined;
  /** Reports the user that an operation runs as, where the caller has not signed in. */
  readonly actsFor?: ((owner: Scope) => void) | undefined;
  /** Runs the operation in the name of its user, for fair shares; without it, the operation has no user. */
  readonly within?: (<T>(work: () => T) => T) | undefined;
}
