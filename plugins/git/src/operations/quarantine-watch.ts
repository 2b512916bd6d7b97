import { rm } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { QUARANTINE } from '../helper/quarantines.ts'

/** Channel for git's trace, the fourth inherited one: it reports the folder that holds a push until it is accepted. */
export const TRACE_CHANNEL = 4
export const TRACE_ENVIRONMENT = {
  GIT_TRACE2_EVENT: String(TRACE_CHANNEL),
  GIT_TRACE2_EVENT_BRIEF: '1',
  GIT_TRACE2_ENV_VARS: 'GIT_QUARANTINE_PATH',
}
const MAX_LINE = 10_000

/** Tracks the quarantine of one receive-pack process, to remove it if that process could not. */
export class QuarantineWatch {
  readonly #objects: string
  #path: string | undefined

  constructor(folder: string, channel: Readable) {
    this.#objects = resolve(folder, 'objects')
    channel.on('error', () => {})
    createInterface({ input: channel }).on('line', (line) => this.#read(line))
  }

  async remove(): Promise<void> {
    if (this.#path !== undefined) await rm(this.#path, { recursive: true, force: true, maxRetries: 5 })
  }

  #read(line: string): void {
    if (this.#path !== undefined || line.length > MAX_LINE || !line.includes('GIT_QUARANTINE_PATH')) return
    const value = valueOf(line)
    const path = value === undefined ? '' : resolve(value)
    const name = path.slice(this.#objects.length + 1)
    if (path.startsWith(this.#objects + sep) && !name.includes(sep) && QUARANTINE.test(name)) this.#path = path
  }
}

function valueOf(line: string): string | undefined {
  try {
    const { value } = JSON.parse(line) as { readonly value?: unknown }
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
