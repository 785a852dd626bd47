export declare const OWN: readonly string[];
export declare function compiledPredeploy(name: string): string;
