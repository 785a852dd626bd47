import { isIP } from 'node:net';

/** The operating system's error if it rejects an address (`listen`) or doesn't find a host (`getaddrinfo`). */
interface ListenError extends Error {
  readonly code: string;
  readonly syscall: 'listen' | 'getaddrinfo';
  /** an IP address, or the path of a Unix socket */
  readonly address?: string;
  /** TCP port; absent if any free port was requested */
  readonly port?: number;
  readonly hostname?: string;
}

/** Explains why the node can't listen, and which option helps; `undefined` for other errors. */
export function whyNotListening(error: unknown): string | undefined {
  if (!isListenError(error)) return undefined;
  const { code, address, port, hostname } = error;
  if (hostname !== undefined)
    return `the host ${hostname} can't be found (${code}): choose an address of this machine with --host, 0.0.0.0 for all of them`;
  if (address === undefined || isIP(address) === 0)
    return `the Unix socket ${address} can't be opened (${code}): choose a file in a folder that you may write to with --ipc`;
  if (code === 'EADDRINUSE' && port !== undefined)
    return `port ${port} is in use (EADDRINUSE), maybe by another devnet, anvil or hardhat node: ${holderOf(port)} shows which process it is; end that, or choose another port with --port, 0 for a free one`;
  if (code === 'EADDRNOTAVAIL')
    return `this machine has no address ${address} (EADDRNOTAVAIL): choose one that it has with --host, 0.0.0.0 for all of them`;
  if (code === 'EACCES')
    return `port ${port} is not allowed for this user (EACCES): choose one above 1023 with --port, 0 for a free one`;
  return undefined;
}

function isListenError(error: unknown): error is ListenError {
  return (
    error instanceof Error &&
    'code' in error &&
    'syscall' in error &&
    (error.syscall === 'listen' || (error.syscall === 'getaddrinfo' && 'hostname' in error))
  );
}

/** Returns the command that shows which process listens on a TCP port. */
function holderOf(port: number): string {
  if (process.platform === 'win32') return `"netstat -ano | findstr :${port}"`;
  return process.platform === 'linux'
    ? `"ss -ltnp 'sport = :${port}'"`
    : `"lsof -nP -iTCP:${port} -sTCP:LISTEN"`;
}
