import type { Message as EngineMessage } from '@ethereumjs/evm';
import { type ConsoleLine, consoleLineOf } from '../../protocol/console-log.ts';
import type { DevnetEVM } from './devnet-evm.ts';

/** Collects each line that a run prints, even if it reverts later. @returns a function that stops it */
export function watchConsole(evm: DevnetEVM, lines: ConsoleLine[]): () => void {
  const before = ({ to, caller, data }: EngineMessage) => {
    const line = consoleLineOf({ to, data, from: caller });
    if (line) lines.push(line);
  };
  return evm.watch({ before });
}
