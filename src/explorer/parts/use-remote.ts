import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rpc } from '../app.ts';

/** What a request answered; while it runs again, the earlier answer stays. */
export interface Remote<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
  readonly loading: boolean;
  readonly again: () => void;
}

/**
 * Asks the node, and asks again when `key` changes or a connection was opened. While a request runs the next one waits,
 * so that a fast chain doesn't pile them up.
 */
export function useRemote<T>(key: string, load: () => Promise<T>): Remote<T> {
  const [state, setState] = useState<{ value?: T; error?: string; loading: boolean; subject: string }>({
    loading: true,
    subject: '',
  });
  const [turn, setTurn] = useState(0);
  const running = useRef(false);
  const wanted = useRef('');
  const open = rpc.state.value === 'open';
  const asking = `${key} ${turn} ${open}`;
  // Asked when it is rendered: an effect would wait for the next frame.
  useLayoutEffect(() => {
    wanted.current = asking;
    if (!open || running.current) return;
    const run = async () => {
      running.current = true;
      for (let asked = ''; asked !== wanted.current; ) {
        asked = wanted.current;
        try {
          const value = await latest.current();
          setState({ value, loading: false, subject: asked });
        } catch (error) {
          setState(({ value, subject }) => ({
            ...(value !== undefined && { value }),
            error: (error as Error).message,
            loading: false,
            subject,
          }));
          if (rpc.state.peek() !== 'open') break;
        }
      }
      running.current = false;
    };
    void run();
  }, [asking]);
  const latest = useRef(load);
  latest.current = load;
  return {
    value: state.value,
    error: state.error,
    loading: state.loading,
    again: () => setTurn((it) => it + 1),
  };
}
