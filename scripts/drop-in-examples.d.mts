export const ADDRESS: string;
export function dropInExample(name: string, url?: string): string;
