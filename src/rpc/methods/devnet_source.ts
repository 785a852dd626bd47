import { DevnetError } from '../../errors.ts';
import { hash32, uint32 } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';
import { executionOf } from '../trace/execution.ts';

/**
 * Returns the name and text of a source file of the contracts that a transaction ran, by its index in `files` of `devnet_execution`. The
 * text ends after 4 MiB.
 * @returns an object with `name` and `text`
 */
export const devnet_source = defineMethod({
  kind: 'read',
  computes: true,
  params: [hash32, uint32],
  handler: async (context, hash, file): Promise<unknown> => {
    const { files } = (await executionOf(context, hash)).sources;
    const found = files[file];
    if (!found) throw new DevnetError('server', { reason: `there are ${files.length} source files` });
    return found;
  },
});
