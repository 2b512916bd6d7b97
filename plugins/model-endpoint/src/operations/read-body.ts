import type { Readable } from 'node:stream'
import { Unavailable } from '@gateway/sdk'
import { BodyTooLarge } from '../errors.ts'
import { type Json, object, refuse } from '../rules/json.ts'
import type { Bodies } from '../services/bodies.ts'

const LIMIT_BYTES = 33_554_432
const BODY_MS = 60_000

export interface ReadBody {
  readonly body: Json
  readonly bytes: number
}

/** Reads a JSON body of at most 32 MiB. The caller gives its bytes back to `bodies`. */
export async function readBody(stream: Readable, announced: unknown, bodies: Bodies, signal: AbortSignal): Promise<ReadBody> {
  if (Number(announced) > LIMIT_BYTES) throw BodyTooLarge({ limitBytes: LIMIT_BYTES })
  const until = AbortSignal.any([signal, AbortSignal.timeout(BODY_MS)])
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
    return { body: parse(Buffer.concat(parts).toString('utf8')), bytes }
  } catch (error) {
    bodies.give(bytes)
    throw error
  } finally {
    until.removeEventListener('abort', stop)
  }
}

function parse(text: string): Json {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse('body', 'must be JSON.')
  }
  return object(value) ?? refuse('body', 'must be a JSON object.')
}
