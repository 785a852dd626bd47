import { useRef, useState } from 'preact/hooks';
import { rpc } from '../app.ts';
import type { Hex } from '../data/types.ts';
import { useRemote } from '../parts/use-remote.ts';
import type { Moment } from './types.ts';

/** The second parameter of `devnet_step`: the step to show. */
export type Wanted = number | { readonly [field: string]: unknown };

/**
 * Goes to another step.
 * @param wanted computes the parameter of `devnet_step` from the step that is shown when the request is sent
 * @param missing the message if there is no such step
 */
export type Go = (wanted: (now: Moment) => Wanted, missing?: string) => void;

/** The step of a transaction's execution that is shown, and the function that goes to another one. @param start the first step */
export function useMoment(hash: Hex, start: Wanted) {
  const [moment, setMoment] = useState<Moment>();
  const [news, setNews] = useState('');
  const shown = useRef<Moment | undefined>(undefined);
  const next = useRef<{ wanted: (now: Moment) => Wanted; missing: string } | undefined>(undefined);
  const isRunning = useRef(false);

  const show = (found: Moment) => {
    shown.current = found;
    setMoment(found);
  };
  const run = async () => {
    isRunning.current = true;
    for (let each = next.current; each; each = next.current) {
      next.current = undefined;
      try {
        const found = await rpc.call<Moment | null>('devnet_step', hash, each.wanted(shown.current!));
        setNews(found ? '' : each.missing);
        if (found) show(found);
      } catch (error) {
        setNews((error as Error).message);
      }
    }
    isRunning.current = false;
  };
  // One request runs at a time. Of the steps requested meanwhile only the newest is fetched: dragging a slider requests hundreds.
  const go: Go = (wanted, missing = 'nothing there') => {
    next.current = { wanted, missing };
    if (!isRunning.current && shown.current) void run();
  };
  const first = useRemote(hash, async () => show((await rpc.call<Moment>('devnet_step', hash, start))!));
  return { moment, news, go, error: first.error };
}
