export function buildExplorer(root: string, outdir: string): Promise<string[]>;
