/** Fields of forms about users and API keys: roles and attributes. */
import { roleTitle } from '../shell/role-title.ts';
import { msg, str } from '../words/words.ts';
import { type Attributes, AttributeTextError, formatAttributes, parseAttributes } from './attribute-text.ts';
import type { FormField } from './form-dialog.ts';

type Values = Readonly<Record<string, string>>;

const KNOWN_ROLES = ['ROLE_USER', 'ROLE_ADMIN'];

/** Returns the fields for roles: the known ones to choose from, and others as text. */
export function roleFields(roles: readonly string[], inUse: readonly string[]): readonly FormField[] {
  const known = [...new Set([...KNOWN_ROLES, ...inUse])];
  return [
    {
      name: 'roles',
      label: msg('Roles'),
      value: roles.join('\n'),
      choices: known.map((role) => ({ value: role, title: roleTitle(role) })),
    },
    {
      name: 'moreRoles',
      label: msg('More roles'),
      value: '',
      hint: msg('As models and cubes name them, separated by commas.'),
      isOptional: true,
    },
  ];
}

export function rolesOf({ roles = '', moreRoles = '' }: Values): readonly string[] {
  return [...roles.split('\n'), ...moreRoles.split(',')].map((role) => role.trim()).filter((role) => role !== '');
}

export function attributeField(attributes: Attributes): FormField {
  return {
    name: 'attributes',
    label: msg('Attributes'),
    value: formatAttributes(attributes),
    hint: msg('One a line: region = South, North. Viewer filters of models and cubes compare with them.'),
    isLong: true,
    isOptional: true,
  };
}

/** @throws Error with a sentence for people */
export function attributesOf({ attributes = '' }: Values): Attributes {
  try {
    return parseAttributes(attributes);
  } catch (error) {
    if (error instanceof AttributeTextError)
      throw new Error(msg(str`Line ${error.line} of the attributes cannot be read. Write: name = value, value.`));
    throw error;
  }
}

/** Returns attributes as short texts for a list: `region: South, North`. */
export function attributeTags(attributes: Attributes): readonly string[] {
  return Object.entries(attributes).map(([name, values]) => {
    const shown = values.slice(0, MAX_SHOWN_VALUES).map(String).join(', ');
    return values.length > MAX_SHOWN_VALUES
      ? msg(str`${name}: ${shown} and ${values.length - MAX_SHOWN_VALUES} more`)
      : `${name}: ${shown}`;
  });
}

const MAX_SHOWN_VALUES = 4;
