import type { ErrorRecord, ToolError } from '@gateway/sdk'
import type { FastifyReply } from 'fastify'
import { errorRecord } from '../errors.ts'
import type { Outcome } from '../gateway.ts'
import { LazyAbort } from '../lazy-abort.ts'
import { onReplyEnd } from './reply-end.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends text that is JSON already: Fastify then only measures and writes it. */
export function sendJson(reply: FastifyReply, status: number, json: string | Buffer): FastifyReply {
  return reply.code(status).header('content-type', JSON_TYPE).send(json)
}

export function sendRecord(reply: FastifyReply, status: number, record: ErrorRecord): FastifyReply {
  setRetryAfter(reply, record)
  return sendJson(reply, status, JSON.stringify(record))
}

/** For the refusals that say when to come back. */
export function setRetryAfter(reply: FastifyReply, { details }: ErrorRecord): void {
  const seconds = (details as { retryAfterSeconds?: unknown } | undefined)?.retryAfterSeconds
  if (typeof seconds === 'number') reply.header('retry-after', String(seconds))
}

export function sendError(reply: FastifyReply, error: ToolError): FastifyReply {
  return sendRecord(reply, error.status, errorRecord(error, reply.request.id))
}

/** `status` overrides the operation’s own status of success. */
export function sendOutcome(reply: FastifyReply, outcome: Outcome, status?: number): FastifyReply {
  if (outcome.ok) return sendJson(reply, status ?? outcome.status, JSON.stringify(outcome.result))
  return sendRecord(reply, outcome.status, outcome.error)
}

/** Aborted when the client goes away before its answer is written, unless the call outlives its connection. */
export function clientGone(reply: FastifyReply): LazyAbort {
  const gone = new LazyAbort()
  onReplyEnd(reply, () => {
    if (!reply.raw.writableFinished) gone.connectionLost()
  })
  return gone
}
