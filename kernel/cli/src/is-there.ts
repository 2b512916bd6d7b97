import { statSync } from 'node:fs'

/** As `existsSync`, which takes what this user may not look at for what is not there: here that throws. */
export const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined
