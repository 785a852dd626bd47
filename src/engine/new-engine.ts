import { SignatureOverrides } from '../protocol/signature-overrides.ts';
import type { Engine, EngineDeps } from './engine.ts';
import type { EngineName } from './engine-name.ts';
import { EthereumjsEngine } from './ethereumjs/ethereumjs-engine.ts';
import { ShadowEngine, type ShadowEngineDeps } from './shadow/shadow-engine.ts';
import { FastEngine } from './wasm/fast-engine.ts';

/** Creates an engine by its name. */
export function newEngine(
  name: EngineName,
  { onDifference, ...deps }: EngineDeps & Pick<ShadowEngineDeps, 'onDifference'>,
): Engine {
  switch (name) {
    case 'ethereumjs':
      return new EthereumjsEngine(deps);
    case 'shadow': {
      const { schedule, crypto, signatures = new SignatureOverrides() } = deps;
      const fast = new FastEngine({ ...deps, signatures });
      const reference = new EthereumjsEngine({ schedule, crypto, signatures });
      return new ShadowEngine({ fast, reference, onDifference });
    }
    case 'fast':
      return new FastEngine(deps);
  }
}
