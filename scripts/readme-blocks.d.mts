export const ADDRESS: string;
export function readmeBlock(name: string, url?: string): string;
