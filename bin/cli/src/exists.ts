import { statSync } from 'node:fs'

/** Like `existsSync`, but throws for a path that this user may not look at, which `existsSync` reports as missing. */
export const exists = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
