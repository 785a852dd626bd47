// Limits for what is read from a project: its files may be of any size, and their contents nested as deeply as somebody likes.

/** Most files with artifacts in a folder. */
export const MAX_ARTIFACTS = 5_000;
/** Size of an artifact that is read for its ABI and its code, in bytes: larger files are left out. */
export const MAX_ARTIFACT_SIZE = 4 * 2 ** 20;
/** Size of an artifact of Foundry with its syntax tree, and of a source, in bytes. */
export const MAX_SOURCE_SIZE = 16 * 2 ** 20;
/** Size of a build info in bytes: the maximum length of a string in V8. */
export const MAX_BUILD_SIZE = 500 * 2 ** 20;
/** Size of the text of a source that is passed on, in bytes. */
export const MAX_TEXT_SIZE = 4 * 2 ** 20;
/** Blocks and statements within each other that are followed. */
export const MAX_NESTED_BLOCKS = 256;
/** Types within each other, and bases of a contract: more than any real contract has. */
export const MAX_NESTED_TYPES = 64;
/** Arrays, structs and mappings within each other whose values are read. */
export const MAX_NESTED_VALUES = 32;
