import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';

/** Where packages lie that a project uses. */
const PACKAGES = /^(?:node_modules|lib|dependencies)\//;
/** Tests and scripts of Foundry. */
const TESTS = /\.(?:t|s)\.sol$|^(?:test|tests|script|scripts)\//;

/**
 * Whether a source is one of the project's own: it lies in its folder, and is neither a package nor a test.
 * @param options.artifacts folder of compiled contracts, which lies in the project's; by default the project's is the working directory
 * @param options.exclude parts of names of files that aren't wanted, with `*` for any characters
 */
export function ownSources(options: {
  readonly artifacts?: string | undefined;
  readonly exclude?: readonly string[] | undefined;
}): (name: string) => boolean {
  const root = projectFolder(options.artifacts);
  const excluded = (options.exclude ?? []).map(asPattern);
  return (name) => {
    const path = resolve(root, name);
    const within = relative(root, path).replaceAll('\\', '/');
    if (within.startsWith('..') || isAbsolute(within)) return false;
    if (PACKAGES.test(within) || TESTS.test(within)) return false;
    return !excluded.some((pattern) => pattern.test(name)) && existsSync(path);
  };
}

export function projectFolder(artifacts: string | undefined): string {
  return artifacts === undefined ? process.cwd() : dirname(resolve(artifacts));
}

function asPattern(text: string): RegExp {
  const parts = text.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'));
}
