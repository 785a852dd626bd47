export function thirdPartyLicences(root: string, inputs: readonly string[]): string;
