/** Wei per gas offered to the block's producer where nobody says otherwise: 1 gwei, as anvil does. */
export const SUGGESTED_TIP = 1_000_000_000n;
