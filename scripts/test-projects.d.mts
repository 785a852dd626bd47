/** Paths of test files relative to the project's folder. */
export function testProjects(): { unit: string[]; node: string[]; process: string[]; redis: string[] };
