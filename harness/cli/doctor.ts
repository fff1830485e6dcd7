export async function command(): Promise<number> { return 0; }
