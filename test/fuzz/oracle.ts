import assert from 'node:assert/strict'
import type { Answer } from '../abuse/wire.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Message = any

/** The parts of a request that decide its possible answers. */
export interface Sent {
  /** Body as sent, one character a byte. */
  readonly body: string
  readonly own: string
  /** Text that only the other tenant has. */
  readonly foreign: string
  /** Set for an unmutated request, which must succeed with this number. */
  readonly n?: number
}

const STATUSES = new Set([200, 202, 400, 404, 406, 413, 415])
const INTERNAL = -32603

/**
 * An answer is one valid JSON-RPC message for its own request, a stream or a batch of such, or empty for a body without a
 * request.
 */
export function assertAnswer(sent: Sent, answer: Answer): void {
  const { status, head, text } = answer
  assert.ok(STATUSES.has(status), `status ${status}: ${text.slice(0, 500)}`)
  assert.ok(!text.includes(sent.foreign) && !head.includes(sent.foreign), 'the answer has what belongs to another tenant')
  if (status === 202) return assert.equal(text, '')
  const messages = messagesIn(head, text)
  assert.ok(messages.length > 0, `an answer without a message: ${head}`)
  const asked = idsIn(sent.body)
  for (const message of messages) {
    assertMessage(message)
    if ('method' in message) continue
    const at = asked.indexOf(message.id)
    if (at >= 0) asked.splice(at, 1)
    else {
      assert.ok(message.id === null || message.id === undefined, `an answer for ${JSON.stringify(message.id)}, which was not asked`)
      assert.ok('error' in message, `a result for nobody: ${text.slice(0, 300)}`)
    }
  }
  if (sent.n !== undefined) assertMine(messages.at(-1), sent)
}

/** Checks the text that the client received on a stream that it closed itself. */
export function assertStream({ foreign }: Pick<Sent, 'foreign'>, text: string): void {
  assert.ok(!text.includes(foreign), 'the stream has what belongs to another tenant')
  for (const message of eventsIn(text)) assertMessage(message)
}

function assertMessage(message: Message): void {
  assert.equal(message?.jsonrpc, '2.0', JSON.stringify(message)?.slice(0, 300))
  if ('method' in message) return assert.equal(typeof message.method, 'string')
  assert.ok('result' in message !== 'error' in message, 'one of result and error')
  if ('result' in message) return assert.notEqual(message.result?.structuredContent?.code, 'INTERNAL_ERROR')
  const { code, message: sentence } = message.error
  assert.ok(Number.isInteger(code) && typeof sentence === 'string', JSON.stringify(message))
  assert.notEqual(code, INTERNAL, JSON.stringify(message))
}

function assertMine({ result }: Message, { own, n }: Sent): void {
  assert.deepEqual(result?.structuredContent, { secret: own, n })
}

function messagesIn(head: string, text: string): readonly Message[] {
  return /^content-type: text\/event-stream/im.test(head) ? eventsIn(text) : [JSON.parse(text)].flat()
}

export function eventsIn(text: string): readonly Message[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 1)
  return whole
    .split('\n')
    .filter((line) => line.startsWith('data: ') && line.length > 'data: '.length)
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

/** Returns the ids an answer may have: those in the body when it is JSON. */
function idsIn(body: string): unknown[] {
  try {
    const value: Message = JSON.parse(
      Buffer.from(body, 'latin1')
        .toString()
        .replace(/^\ufeff/, ''),
    )
    return [value].flat().flatMap((one) => (isId(one?.id) ? [one.id] : []))
  } catch {
    return []
  }
}

const isId = (id: unknown): boolean => typeof id === 'string' || Number.isSafeInteger(id)
