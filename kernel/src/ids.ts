import { randomFillSync } from 'node:crypto'

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const pool = Buffer.alloc(8_192)
let used = pool.length
let lastTime = -1
let lastRandom = 0n

/** 40 random bits; drawn from a pool, since one system call per id would cost more than the id. */
function random40(): bigint {
  if (used + 5 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const value = pool.readUIntBE(used, 5)
  used += 5
  return BigInt(value)
}

function base32(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest >>= 5n) text = ALPHABET[Number(rest & 31n)] + text
  return text
}

/**
 * `prefix`, 10 characters of time, 12 of randomness, in Crockford’s base 32: ids sort by creation, also those made
 * within one millisecond by one process (the random part then counts up), so that an index grows at its end and
 * “oldest first” is exact.
 */
export function newId(prefix: string, now: number): string {
  if (now > lastTime) {
    lastTime = now
    lastRandom = (random40() << 19n) | (random40() & 0x7ffffn)
  } else {
    lastRandom += 1n + (random40() & 0xffffn)
  }
  return prefix + base32(BigInt(lastTime), 10) + base32(lastRandom, 12)
}
