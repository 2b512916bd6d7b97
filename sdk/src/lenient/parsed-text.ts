import { isRoundedInteger, placeOfRounded, readJson } from '../json.ts'

/** A text that stands for an array or an object is as bounded as a request. */
const LIMITS = { depth: 64, values: 20_000 }
const NUMBER = /^\s*-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/

/** Parses a text to one of these JSON types. Undefined when the text has another type, or would not come out exactly. */
export function parsedText(text: string, types: ReadonlySet<string>): unknown {
  if (types.has('integer') || types.has('number')) {
    const number = NUMBER.test(text) ? Number(text) : Number.NaN
    const isExact = types.has('number') ? Number.isFinite(number) && !isRoundedInteger(text.trim()) : Number.isSafeInteger(number)
    if (isExact) return number
  }
  const trimmed = text.trim()
  if (types.has('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true'
  const isArray = trimmed.startsWith('[')
  if (isArray ? !types.has('array') : !trimmed.startsWith('{') || !types.has('object')) return undefined
  const read = readJson(Buffer.from(trimmed), LIMITS)
  return read.fault === undefined && placeOfRounded(read) === undefined ? read.value : undefined
}
