/** Paths of test files from the project's folder. */
export function testProjects(): { unit: string[]; node: string[]; process: string[]; redis: string[] };
