import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

/** A node of ESTree, as far as it is looked at. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: string;
  readonly [member: string]: unknown;
}

/** A file of src, with the comments that stand before its parts. */
export class ParsedSource {
  readonly text: string;
  readonly #program: SyntaxNode;
  readonly #comments: readonly { readonly value: string; readonly end: number }[];

  /** @param path from the project's folder */
  constructor(path: string) {
    this.text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
    const { program, comments } = parseSync(path, this.text);
    this.#program = program as unknown as SyntaxNode;
    this.#comments = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
  }

  /** @returns what an exported constant is, and the comment before it */
  exported(name: string): { readonly value: SyntaxNode; readonly comment: string } {
    for (const node of this.#program.body as SyntaxNode[]) {
      const declaration = node.declaration as { declarations?: SyntaxNode[] } | null;
      const found = declaration?.declarations?.find(({ id }) => (id as SyntaxNode).name === name);
      if (found) return { value: found.init as SyntaxNode, comment: this.commentBefore(node.start) };
    }
    throw new Error(`no ${name}`);
  }

  /** @returns where a name is imported from; `undefined` when it isn't */
  importOf(name: string): string | undefined {
    const found = (this.#program.body as SyntaxNode[]).find(
      ({ type, specifiers }) =>
        type === 'ImportDeclaration' &&
        (specifiers as SyntaxNode[]).some(({ local }) => (local as SyntaxNode).name === name),
    );
    return found && String((found.source as SyntaxNode).value);
  }

  /** The documentation comment that ends right before a place, without its stars; empty where there is none. */
  commentBefore(start: number): string {
    const comment = this.#comments.findLast(
      ({ end }) => end <= start && /^\s*$/.test(this.text.slice(end, start)),
    );
    return (comment?.value ?? '')
      .replace(/^\*/, '')
      .replace(/\n\s*\* ?/g, '\n')
      .trim();
  }
}

/** Members of an object literal by name. */
export function membersOf(node: SyntaxNode): ReadonlyMap<string, SyntaxNode> {
  return new Map(
    (node.properties as SyntaxNode[])
      .filter(({ type }) => type === 'Property')
      .map((property) => [(property.key as SyntaxNode).name!, property]),
  );
}
