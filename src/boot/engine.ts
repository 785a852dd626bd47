import { Engine } from '../evm/engine.ts';
import { FastEngine } from '../executor/fast-engine.ts';
import { ShadowEngine, type ShadowEngineDeps } from '../executor/shadow-engine.ts';
import type { Config } from '../options/options.ts';

/** The engine of a node: see the option `engine`. The variable is for the project's own tests. */
export function newEngine(name: Config['engine'], deps: ShadowEngineDeps): Engine {
  switch (process.env.DEVNET_ENGINE ?? name) {
    case 'ethereumjs':
      return new Engine(deps);
    case 'shadow':
      return new ShadowEngine(deps);
    default:
      return new FastEngine(deps);
  }
}
