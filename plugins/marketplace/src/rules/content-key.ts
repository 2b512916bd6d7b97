import { createHash } from 'node:crypto'

export const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex')

/** Key of an artifact: its own hash shows that it is the requested one. */
export const artifactKeyOf = (hash: string): string => `sha256/${hash}`
export const versionIdOf = (slug: string, version: string): string => `${slug}@${version}`
