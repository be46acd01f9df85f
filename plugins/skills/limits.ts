/** Bytes of one skill file. The whole body goes into a prompt, so this also limits what a slash command sends. */
export const MAX_SKILL_BYTES = 65_536;

/** Characters of a frontmatter block. */
export const MAX_FRONTMATTER_LENGTH = 16_384;

/** Entries (files and folders) of one scan; further entries are reported and not read. */
export const MAX_ENTRIES = 20_000;

/** Folders inside each other. */
export const MAX_FOLDER_DEPTH = 16;
