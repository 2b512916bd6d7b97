import { AnswerTooLarge } from '../errors.ts'

/** Returns the answer, or throws ANSWER_TOO_LARGE. This limit holds on every transport. */
export function boundedAnswer(json: string, limitBytes: number): string {
  if (fits(json, limitBytes)) return json
  throw AnswerTooLarge({ limitBytes, bytes: Buffer.byteLength(json) })
}

/** A character has at most three bytes, so most answers need not be counted. */
export const fits = (text: string, limitBytes: number): boolean => text.length * 3 <= limitBytes || Buffer.byteLength(text) <= limitBytes
