/** pattern -> why */
export const DIFFERENCES: Readonly<Record<string, string>>;
