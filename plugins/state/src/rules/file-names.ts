import type { FileKind } from '../schema.ts'

export const FILE_NAMES: Readonly<Record<FileKind, string>> = { state: 'STATE.md', handoff: 'HANDOFF.md' }
export const ARCHIVE_FOLDER = 'archive'
