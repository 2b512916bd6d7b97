import { createHash } from 'node:crypto'

export const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex')

/** Where an artifact stands: its own hash says whether it is what was asked for. */
export const artifactKeyOf = (hash: string): string => `sha256/${hash}`
export const versionIdOf = (slug: string, version: string): string => `${slug}@${version}`
