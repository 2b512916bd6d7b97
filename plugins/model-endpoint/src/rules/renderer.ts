import type { Completion } from '@gateway/plugin-providers/api'

/** Facts of an answer that is rendered for a wire its provider does not speak. */
export interface Answer {
  readonly id: string
  readonly model: string
  /** Seconds since 1970. */
  readonly created: number
}

/** Writes an answer in the form of one wire. A stream is `begin`, `delta` for each text, and `end`. */
export interface Renderer {
  begin(): string
  delta(text: string): string
  end(completion: Completion): string
  /** The answer in one piece. */
  whole(completion: Completion): object
}

/** An event of a stream. Each line of its data has a prefix of its own. */
export const sse = (data: object | string, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data.replaceAll('\n', '\ndata: ') : JSON.stringify(data)}\n\n`
