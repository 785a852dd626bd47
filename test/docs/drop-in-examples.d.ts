/** Examples of docs/drop-in.md; see vitest.config.ts. */
declare module 'drop-in:counter.test.ts';
declare module 'drop-in:client.ts' {
  export const client: import('viem').TestClient &
    import('viem').PublicActions &
    import('viem').WalletActions;
}
