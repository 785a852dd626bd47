import { existsSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';

/** Folders of a project's dependencies. */
const PACKAGES = /^(?:node_modules|lib|dependencies)\//;
/** Tests and scripts of Foundry. */
const TESTS = /\.(?:t|s)\.sol$|^(?:test|tests|script|scripts)\//;

/**
 * Returns a predicate for a project's own sources: files in the project's folder that are neither dependencies nor tests.
 * @param options.artifacts folder of compiled contracts within the project's folder; by default the project is the working directory
 * @param options.exclude parts of file names to exclude, with `*` for any characters
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
