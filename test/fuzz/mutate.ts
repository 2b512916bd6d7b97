import { type Random, upTo } from '../crash/powercut/random.ts'
import { type Headers, type Json, pick } from './messages.ts'

const deep = (levels: number): Json => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
const JUNK: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  '',
  ' ',
  '\0',
  'x'.repeat(5_000),
  '\ud800',
  '🎉',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  [],
  {},
  [[]],
  [null],
  { toString: 1 },
  { length: 1e9 },
  { $ref: '#' },
  JSON.parse('{"then":true}'),
  deep(30),
  'tools/call',
  'initialize',
  'notifications/initialized',
  'server/discover',
  '2026-07-28',
  '2025-11-25',
  '2099-01-01',
]
const KEYS = [
  'id',
  'method',
  'params',
  'jsonrpc',
  '_meta',
  'name',
  'arguments',
  'cursor',
  'uri',
  'result',
  'error',
  'constructor',
  'toString',
  '',
]

/** Returns the value with one change somewhere in it. */
export function mutated(random: Random, value: Json): Json {
  if (typeof value !== 'object' || value === null || random() < 0.08) return pick(random, JUNK)
  if (Array.isArray(value)) {
    if (value.length === 0 || random() < 0.2) return [...value, ...value, pick(random, JUNK)]
    const at = upTo(random, value.length)
    return value.with(at, mutated(random, value[at] ?? null))
  }
  const entries = Object.entries(value)
  const at = upTo(random, entries.length)
  const [key = 'id', inner = null] = entries[at] ?? []
  const others = entries.filter((_, n) => n !== at)
  const kind = random()
  if (kind < 0.6) return Object.fromEntries([...others, [key, mutated(random, inner)]])
  if (kind < 0.75) return Object.fromEntries(others)
  if (kind < 0.9) return Object.fromEntries([...entries, [pick(random, KEYS), pick(random, JUNK)]])
  return Object.fromEntries([...others, [pick(random, KEYS), inner]])
}

/** Returns the text, one character a byte, with corrupted bytes. */
export function spoilt(random: Random, text: string): string {
  const at = upTo(random, text.length)
  return pick(random, [
    () => text.slice(0, at),
    () => text.slice(0, at) + String.fromCharCode(upTo(random, 256)) + text.slice(at + 1),
    () =>
      text.slice(0, at) + pick(random, ['\xff\xfe', '\0', '"', '{', '}', ',', '\\u0000', '\\ud800', 'NaN', '1e999', '\n']) + text.slice(at),
    () => text + text,
    () => `\xef\xbb\xbf${text}`,
    () => `${' '.repeat(1_000)}${text}`,
    () => '['.repeat(200) + text,
    () => text.replace('"params"', '"id":0,"params"'),
    () => text.replace('"params"', '"__proto__":{"a":1},"params"'),
  ])()
}

const VALUES = [
  '',
  ' ',
  'x',
  'null',
  '0',
  '=?base64?eA==?=',
  '=?base64?eA?=',
  '=?base64?_w==?=',
  '\xff',
  'a'.repeat(2_000),
  'tools/list',
  '2026-07-28',
  '2025-11-25',
  '1999-01-01',
]
const NAMES = [
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-param-n',
  'mcp-param-x',
  'last-event-id',
  'accept',
  'content-type',
  'x-request-id',
]
const ACCEPTS = ['application/json', 'text/event-stream', '*/*', 'application/json;q=0, text/html', 'text/html']

/** Returns the headers with one of them changed, added or removed. */
export function mutatedHeaders(random: Random, headers: Headers): Headers {
  const name = random() < 0.5 ? pick(random, NAMES) : (pick(random, Object.keys(headers)) ?? 'accept')
  const { [name]: _, ...others } = headers
  if (random() < 0.3) return others
  return { ...others, [name]: name === 'accept' ? pick(random, ACCEPTS) : pick(random, VALUES) }
}
