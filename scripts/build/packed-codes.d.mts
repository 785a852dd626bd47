export function packedCodes(codes: Readonly<Record<string, string>>): Buffer;
