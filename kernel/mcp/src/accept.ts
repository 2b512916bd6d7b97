import { NotAcceptable } from './errors.ts'

/** Lenient: an absent header and wildcards are accepted, so that plain curl works. */
const TAKES_ANSWERS = /application\/(?:json|\*)|text\/event-stream|\*\/\*/i
const TAKES_STREAMS = /text\/(?:event-stream|\*)|\*\/\*/i
const NAMES_STREAMS = /text\/event-stream/i

/** An answer that could be plain JSON may be an event stream only for a client that names that type. */
export function namesStreams(accept: string | undefined): boolean {
  return accept !== undefined && NAMES_STREAMS.test(accept)
}

/** For answers that can be plain JSON. Throws NOT_ACCEPTABLE. */
export function requireAnswers(accept: string | undefined): void {
  check(accept, TAKES_ANSWERS, ['application/json', 'text/event-stream'])
}

/** For answers that can only be an event stream. Throws NOT_ACCEPTABLE. */
export function requireStreams(accept: string | undefined): void {
  check(accept, TAKES_STREAMS, ['text/event-stream'])
}

function check(accept: string | undefined, taken: RegExp, offered: string[]): void {
  if (accept !== undefined && !taken.test(accept)) throw NotAcceptable({ offered, accept: accept.slice(0, 200) })
}
