import { NotAcceptable } from './errors.ts'

/** Lenient: an absent header and wildcards are taken, so that plain curl works. */
const TAKES_ANSWERS = /application\/(?:json|\*)|text\/event-stream|\*\/\*/i
const TAKES_STREAMS = /text\/(?:event-stream|\*)|\*\/\*/i
const NAMES_STREAMS = /text\/event-stream/i

/** Whether what could be plain JSON may come as an event stream: only to a client that names it. */
export function namesStreams(accept: string | undefined): boolean {
  return accept !== undefined && NAMES_STREAMS.test(accept)
}

/** For what can be plain JSON. Throws NOT_ACCEPTABLE. */
export function requireAnswers(accept: string | undefined): void {
  check(accept, TAKES_ANSWERS, ['application/json', 'text/event-stream'])
}

/** For what can only be an event stream. Throws NOT_ACCEPTABLE. */
export function requireStreams(accept: string | undefined): void {
  check(accept, TAKES_STREAMS, ['text/event-stream'])
}

function check(accept: string | undefined, taken: RegExp, offered: string[]): void {
  if (accept !== undefined && !taken.test(accept)) throw NotAcceptable({ offered, accept: accept.slice(0, 200) })
}
