/** "View as": an administrator reads as a caller with another role, or with attributes, would. It only ever narrows. */
import { z } from 'zod';
import { AttributesSchema, attributesFrom } from './capabilities/attributes.ts';
import { isAdministrator, scopeOf, type UserCaller } from './capabilities/identity.ts';
import { ForbiddenError, MalformedBodyError, ValidationError } from './errors.ts';
import { readJson } from './json.ts';

/** The header of a request, with JSON of `ViewAs`. */
export const VIEW_AS_HEADER = 'X-Service-View-As';
const MAX_HEADER_LENGTH = 16_384;

/** Whom an administrator views as. */
export const ViewAs = z
  .strictObject({ role: z.string().min(1).max(100).optional(), attributes: AttributesSchema.optional() })
  .refine(({ role, attributes }) => role !== undefined || attributes !== undefined, {
    error: 'Give a role, attributes, or both.',
  })
  .meta({ id: 'ViewAs' });
export type ViewAs = z.infer<typeof ViewAs>;

/**
 * Returns the caller whom an administrator views as. Everything that the administrator may not see stays hidden.
 *
 * With attributes, the caller is like the viewer of an embed, so `viewer_exempt` does not free it.
 *
 * @throws ForbiddenError for anybody else
 */
export function viewedAs(caller: UserCaller, { role, attributes }: ViewAs): UserCaller {
  if (!isAdministrator(caller)) throw new ForbiddenError('Only administrators view as somebody else.');
  return {
    kind: 'user',
    via: caller.via,
    tenant: caller.tenant,
    user: caller.user,
    roles: role === undefined ? caller.roles : [role],
    attributes: attributesFrom(attributes ?? {}),
    isAccount: attributes === undefined ? true : undefined,
    viewedBy: scopeOf(caller),
  };
}

/** Parses the header. @throws ValidationError at the header's name */
export function parseViewAs(text: string): ViewAs {
  const parsed = ViewAs.safeParse(text.length > MAX_HEADER_LENGTH ? undefined : jsonOf(text));
  if (parsed.success) return parsed.data;
  throw ValidationError.at(
    [VIEW_AS_HEADER],
    'Whom to view as is JSON such as {"role": "ROLE_SALES", "attributes": {"regions": ["South"]}}.',
  );
}

function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof MalformedBodyError) return undefined;
    throw error;
  }
}
