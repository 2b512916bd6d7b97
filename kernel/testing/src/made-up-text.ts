import { type TextRule, textTest } from '@gateway/sdk'

/** The members of a string schema that a made-up text keeps to. */
export interface TextSchema {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly rule?: TextRule
}

/** Texts of the common formats. Each holds the word if the format lets it. */
const FORMATS: Readonly<Record<string, (word: string) => string>> = {
  date: () => '2026-01-02',
  time: () => '03:04:05Z',
  'date-time': () => '2026-01-02T03:04:05.000Z',
  duration: () => 'PT1H',
  email: (word) => `${word}@example.com`,
  hostname: (word) => `${word}.example.com`,
  ipv4: () => '192.0.2.1',
  ipv6: () => '2001:db8::1',
  uri: (word) => `https://${word}.example.com/`,
  uuid: () => '6f1c0b3e-8a4d-4c1e-9b7a-2d5e8f0a1c3b',
}

/** Texts that the usual patterns and rules ask for: those with the word come first. */
const SHAPES: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => `https://${word}.example.com/`,
  (word) => `https://${word}.example.com`,
  (word) => `/${word}`,
  (word) => `${word}/${word}`,
  (word) => `${word}-1`,
  (word) => `${word}@example.com`,
  (word) => word.toUpperCase(),
  (word) => `#${word}`,
  (word) => `${word}.${word}`,
  (word) => `${word}: ${word}`,
  ...Object.values(FORMATS),
  () => '1.0.0',
  () => '1',
  () => 'a'.repeat(64),
  () => '0'.repeat(64),
  () => '0'.repeat(40),
  () => '20260102T030405Z',
]

/** Makes a text of a schema, with the word in it where a pattern and a rule let it. A text of no known shape is the word. */
export function madeUpText(schema: TextSchema, word: string): string {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern = '', format = '', rule = { must: '' } } = schema
  const tests = [textTest({ must: '', matches: pattern }), textTest(rule)]
  const fitted = (text: string): string => text.padEnd(minLength, 'x').slice(0, maxLength)
  const made = FORMATS[format]
  return (made ? [made] : SHAPES).map((shape) => fitted(shape(word))).find((text) => tests.every((test) => test(text))) ?? fitted(word)
}
