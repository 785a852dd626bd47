export function writeDeclarations(root: string, dist: string): Promise<void>;
