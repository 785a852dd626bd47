import { Engine } from '../evm/engine.ts';
import type { EngineName } from '../evm/engine-name.ts';
import { FastEngine } from './fast-engine.ts';
import { ShadowEngine, type ShadowEngineDeps } from './shadow-engine.ts';

/** An engine by its name. The environment variable DEVNET_ENGINE is for the project's own tests. */
export function newEngine(name: EngineName, deps: ShadowEngineDeps): Engine {
  switch (process.env.DEVNET_ENGINE ?? name) {
    case 'ethereumjs':
      return new Engine(deps);
    case 'shadow':
      return new ShadowEngine(deps);
    default:
      return new FastEngine(deps);
  }
}
