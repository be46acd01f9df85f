import type { FunctionDefinition } from './scope.ts';

/** Returns how a call of a function is written: `Head(set, numeric?)`. */
export function usage({ name, syntax, signature }: FunctionDefinition): string {
  const kinds = signature === '' ? [] : signature.split(' ').map((kind) => kind.replaceAll('|', ' or '));
  const [first = '', ...rest] = kinds;
  switch (syntax) {
    case 'function':
      return `${name}(${kinds.join(', ')})`;
    case 'method':
      return `${first}.${name}(${rest.join(', ')})`;
    case 'property':
      return `${first}.${name}`;
    case 'infix':
      return `${first} ${name} ${rest.join(' ')}`;
    case 'prefix':
      return `${name} ${first}`;
    case 'postfix':
      return `${first} ${name}`;
    case 'braces':
    case 'parentheses':
      return kinds.join(', ');
  }
}
