/** Types of programs.mjs, which is JavaScript because it runs before TypeScript can run. */
export const programs: Readonly<Record<string, string>>;
export const buildTools: Readonly<Record<string, string>>;
export const browserNames: readonly string[];
export const rootsFolders: readonly string[];
export function searchPath(path?: string): string;
export function isProgram(path: string): boolean;
export function findProgram(name: string): string | undefined;
export function isSnap(path: string): boolean;
export function hasChromiumPackage(osRelease: string): boolean;
export function installedBrowsers(path?: string): string[];
export function playwrightFolder(environment?: NodeJS.ProcessEnv): string;
export function missingPackages(): string[];
