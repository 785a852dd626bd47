import type { Engine } from './engine.ts';
import type { EngineName } from './engine-name.ts';
import { EthereumjsEngine } from './ethereumjs/ethereumjs-engine.ts';
import { ShadowEngine, type ShadowEngineDeps } from './shadow/shadow-engine.ts';
import { FastEngine } from './wasm/fast-engine.ts';

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
