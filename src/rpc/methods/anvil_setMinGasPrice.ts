import { amount } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

/** The least fee cap that is admitted from now on, in wei per gas. */
export const anvil_setMinGasPrice = defineMethod({
  name: 'anvil_setMinGasPrice',
  kind: 'dev',
  params: [amount],
  handler: ({ controls, shapes }, wei) => {
    controls.setMinGasPrice(wei);
    return shapes.done;
  },
});
