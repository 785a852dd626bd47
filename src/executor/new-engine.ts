import type { Engine } from '../evm/engine.ts';
import type { EngineName } from '../evm/engine-name.ts';
import { EthereumjsEngine } from '../evm/ethereumjs-engine.ts';
import { FastEngine } from './fast-engine.ts';
import { ShadowEngine, type ShadowEngineDeps } from './shadow-engine.ts';

/** An engine by its name. */
export function newEngine(name: EngineName, deps: ShadowEngineDeps): Engine {
  switch (name) {
    case 'ethereumjs':
      return new EthereumjsEngine(deps);
    case 'shadow':
      return new ShadowEngine(deps);
    case 'fast':
      return new FastEngine(deps);
  }
}
