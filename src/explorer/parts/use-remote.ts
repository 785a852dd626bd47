import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { rpc } from '../app.ts';

/** The result of a request. While the request runs again, the earlier result stays. */
export interface Remote<T> {
  readonly value: T | undefined;
  readonly error: string | undefined;
  readonly loading: boolean;
  readonly again: () => void;
}

/**
 * Loads a value from the node, and loads it again when `key` changes or the connection is opened. Only one load runs at a time;
 * changes of `key` meanwhile cause one further load, so that requests don't pile up on a fast chain.
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
  // A layout effect runs with the rendering: an effect would wait for the next frame.
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
