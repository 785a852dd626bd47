/** Examples in docs; see vitest.config.ts. */
declare module 'drop-in:counter.test.ts';
declare module 'drop-in:replays.test.ts';
declare module 'drop-in:clock.ts';
declare module 'drop-in:embed.ts';
declare module 'drop-in:preconfirmations.ts';
declare module 'drop-in:two-chains.ts';
declare module 'drop-in:deposit.ts';
declare module 'drop-in:l1-fees.ts';
declare module 'drop-in:client.ts' {
  export const client: import('viem').TestClient &
    import('viem').PublicActions &
    import('viem').WalletActions;
}
