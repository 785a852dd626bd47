import { ERRORS } from '../../src/errors.ts';

/** The text of src/api/error-kind.ts, from the table in src/errors.ts. */
export function errorTypes(): string {
  const kinds = Object.keys(ERRORS).map((kind) => `  | '${kind}'`);
  return `// npm run docs writes this file from the table in src/errors.ts

/** What went wrong: a row of docs/errors.md. */
export type ErrorKind =
${kinds.join('\n')};
`;
}
