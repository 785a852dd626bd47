import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** The default folder of fork caches: in the user's cache folder of the operating system. */
export function defaultFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): string {
  // XDG Base Directory Specification: a relative path must be ignored.
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg && isAbsolute(xdg)) return join(xdg, 'devnet', 'fork');
  if (platform === 'win32') return join(local || join(homedir(), 'AppData', 'Local'), 'devnet', 'fork-cache');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Caches', 'devnet', 'fork');
  return join(homedir(), '.cache', 'devnet', 'fork');
}
