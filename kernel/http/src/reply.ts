import { boundedAnswer, errorRecord, type Outcome } from '@gateway/kernel'
import { type ErrorRecord, repairText, type ToolError } from '@gateway/sdk'
import type { FastifyReply } from 'fastify'
import { sending } from './connections.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Node needs three bytes per character for a text until all of it is sent. */
const LARGE_TEXT = 16_384

/** Sends JSON text: Fastify then only measures and writes it. */
export function sendJson(reply: FastifyReply, status: number, json: string | Buffer): FastifyReply {
  const body = typeof json === 'string' && json.length >= LARGE_TEXT ? Buffer.from(json) : json
  sending(reply, body.length)
  return reply.code(status).header('content-type', JSON_TYPE).send(body)
}

export function sendRecord(reply: FastifyReply, status: number, record: ErrorRecord): FastifyReply {
  setRetryAfter(reply, record)
  return sendJson(reply, status, JSON.stringify(reply.server.errorBody(reply.request, status, record)))
}

export function setRetryAfter(reply: FastifyReply, { details }: ErrorRecord): void {
  const seconds = (details as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds
  if (typeof seconds === 'number') reply.header('retry-after', String(seconds))
}

export function sendError(reply: FastifyReply, error: ToolError): FastifyReply {
  return sendRecord(reply, error.status, errorRecord(error, reply.request.id))
}

/** `status` overrides the operation's own status of success. Throws ANSWER_TOO_LARGE. */
export function sendOutcome(reply: FastifyReply, outcome: Outcome, limitBytes: number, status?: number): void {
  setReplayed(reply, outcome)
  if (outcome.ok) sendJson(reply, status ?? outcome.status, boundedAnswer(JSON.stringify(outcome.result), limitBytes))
  else sendRecord(reply, outcome.status, outcome.error)
}

/** Servers in between refuse an answer whose headers are long. */
const MAX_HEADER = 400
/** Visible ASCII and spaces, without the comma between two items. */
const NOT_IN_HEADER = /[^ -$&-+\--~]+/g

/** A list for a header: other characters are percent-encoded, and a long list ends with `...`. */
function headerList(items: readonly string[]): string {
  let list = ''
  for (const item of items) {
    const next = repairText(item).replace(NOT_IN_HEADER, encodeURIComponent)
    if (list.length + next.length > MAX_HEADER) return list === '' ? '...' : `${list}, ...`
    list += list === '' ? next : `, ${next}`
  }
  return list
}

/** Tells a caller that this is the first answer to its key, repeated, and what the repetition lacks. */
function setReplayed(reply: FastifyReply, { replayed, omitted }: Outcome): void {
  if (!replayed) return
  reply.header('idempotency-replayed', 'true')
  if (omitted) reply.header('idempotency-omitted', headerList(omitted))
}

/**
 * Sends the outcome of a call. It replaces an async handler, for which Fastify would wait twice; those promises cost more than
 * the sending.
 */
export function sendWhenDone<T>(reply: FastifyReply, work: Promise<T>, send: (reply: FastifyReply, result: T) => void): void {
  work.then((result) => send(reply, result)).catch((failure: unknown) => void reply.send(failure))
}
