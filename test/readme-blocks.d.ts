/** Examples of README.md; see vitest.config.ts. */
declare module 'readme:counter.test.ts';
declare module 'readme:client.ts' {
  export const client: import('viem').TestClient &
    import('viem').PublicActions &
    import('viem').WalletActions;
}
