import manifest from '../package.json' with { type: 'json' };

/** The release, from package.json; the element has the same. */
export const VERSION: string = manifest.version;
