import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(8_192)
let used = pool.length
let lastTime = -1
let timeText = ''
/** Random part: 60 bits in two halves, because 60-bit numbers would be BigInts, which cost ten times as much. */
let high = 0
let low = 0
const HALF = 2 ** 30

/** Drawn from a pool, because one system call per id would cost more than the id. */
function random30(): number {
  if (used + 4 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const value = pool.readUInt32BE(used)
  used += 4
  return value >>> 2
}

function base32(value: number, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

/**
 * `prefix`, 10 characters of time and 12 of randomness, in Crockford's base 32. Ids sort by creation, also within one
 * millisecond of one process (the random part then counts up), so an index grows at its end and “oldest first” is exact.
 */
export function newId(prefix: string, now: number): string {
  if (now > lastTime) {
    lastTime = now
    timeText = base32(now, 10)
    // Half of the range is left for counting up.
    high = random30() >>> 1
    low = random30()
  } else {
    low += 1 + (random30() & 0xffff)
    if (low >= HALF) {
      low -= HALF
      high += 1
    }
  }
  return prefix + timeText + base32(high, 6) + base32(low, 6)
}
