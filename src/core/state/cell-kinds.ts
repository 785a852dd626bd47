// The kinds of cells of a block access list: see accesses.ts. Cells are sorted by these numbers. The host reads them, too.
export const TOUCHED: u32 = 0;
export const SLOT_CHANGED: u32 = 1;
export const SLOT_READ: u32 = 2;
export const BALANCE_CHANGED: u32 = 3;
export const NONCE_CHANGED: u32 = 4;
export const CODE_CHANGED: u32 = 5;
