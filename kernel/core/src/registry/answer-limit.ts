import { AnswerTooLarge } from '../errors.ts'

/** The answer as it is given out; throws ANSWER_TOO_LARGE. The one bound of all answers, whatever their face. */
export function boundedAnswer(json: string, limitBytes: number): string {
  if (fits(json, limitBytes)) return json
  throw AnswerTooLarge({ limitBytes, bytes: Buffer.byteLength(json) })
}

/** A character has at most three bytes, so that most answers need not be counted. */
export const fits = (text: string, limitBytes: number): boolean => text.length * 3 <= limitBytes || Buffer.byteLength(text) <= limitBytes
