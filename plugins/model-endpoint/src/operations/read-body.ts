import type { Readable } from 'node:stream'
import { Unavailable } from '@gateway/sdk'
import { type ReadJson, readJson } from '@gateway/sdk/json'
import { BodyIncomplete, BodyTooLarge } from '../errors.ts'
import { type Json, object, refuse } from '../rules/json.ts'
import { promptSize } from '../rules/prompt-size.ts'
import type { Bodies } from '../services/bodies.ts'

const LIMIT_BYTES = 33_554_432
const BODY_MS = 60_000
/** Bounds of a body's structure. The most values are the token ids of an embeddings call, of which vendors take 300,000. */
const STRUCTURE = { depth: 200, values: 500_000 }

export interface ReadBody {
  readonly body: Json
  /** The body as the client wrote it. */
  readonly text: string
  /** Estimate of the prompt, in tokens. */
  readonly inputTokens: number
  /** True if it may ask that a cache keeps the prompt for an hour. */
  readonly keepsHour: boolean
  readonly bytes: number
}

/** Reads a JSON body of at most 32 MiB. The caller gives its bytes back to `bodies`. */
export async function readBody(
  stream: Readable,
  announced: unknown,
  bodies: Bodies,
  signal: AbortSignal,
  limitMs = BODY_MS,
): Promise<ReadBody> {
  if (Number(announced) > LIMIT_BYTES) throw BodyTooLarge({ limitBytes: LIMIT_BYTES })
  const late = AbortSignal.timeout(limitMs)
  const until = AbortSignal.any([signal, late])
  const stop = (): void => void stream.destroy(until.reason as Error)
  until.addEventListener('abort', stop, { once: true })
  const parts: Buffer[] = []
  let bytes = 0
  try {
    until.throwIfAborted()
    for await (const part of stream) {
      const { length } = part as Buffer
      if (bytes + length > LIMIT_BYTES) throw BodyTooLarge({ limitBytes: LIMIT_BYTES })
      if (!bodies.take(length)) throw Unavailable({ message: 'Too many large model calls are in progress.', retryAfterSeconds: 5 })
      bytes += length
      parts.push(part as Buffer)
    }
    return { ...parse(Buffer.concat(parts)), bytes }
  } catch (error) {
    bodies.give(bytes)
    throw late.aborted && error === late.reason ? BodyIncomplete({ limitMs }) : error
  } finally {
    until.removeEventListener('abort', stop)
  }
}

function parse(bytes: Buffer): Omit<ReadBody, 'bytes'> {
  const read = readJson(bytes, STRUCTURE)
  // Half of a surrogate pair is passed on as it was written: the provider decides about it.
  if (read.fault !== undefined && read.fault !== 'surrogate') return unreadable(read)
  const body = object(read.value) ?? refuse('body', 'must be a JSON object.')
  return { body, text: read.text, inputTokens: promptSize(read.text, body), keepsHour: read.text.includes('"1h"') }
}

function unreadable(read: Exclude<ReadJson, { fault?: never } | { fault: 'surrogate' }>): never {
  switch (read.fault) {
    case 'depth':
      return refuse('body', `must be nested at most ${STRUCTURE.depth} levels deep.`)
    case 'values':
      return refuse('body', `must have at most ${STRUCTURE.values} names and values.`)
    case 'encoding':
      return refuse('body', 'must be JSON in UTF-8, not compressed.')
    case 'number':
      return refuse(read.at || 'body', 'must be a number that is finite.')
    case 'syntax':
      return refuse('body', `must be JSON: ${read.message}`)
  }
}
