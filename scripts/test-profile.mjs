import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { cpuSeconds, cpuText } from './cpu-time.mjs'

const { TEST_PROFILE: list } = process.env
let accounted = 0

/** Charges a test file with the CPU time that its process has used since the last charge. */
export function charge(file) {
  const now = cpuSeconds()
  if (!list || now === undefined) return
  appendFileSync(list, `${JSON.stringify({ file, seconds: now - accounted })}\n`)
  accounted = now
}

/**
 * Returns the test files that used most CPU time, with their descendants.
 * @param {string} list
 * @param {number} count
 */
export function mostExpensive(list, count) {
  /** @type {Map<string, number>} */
  const sums = new Map()
  const lines = existsSync(list) ? readFileSync(list, 'utf8').trim().split('\n') : []
  for (const { file, seconds } of lines.filter(Boolean).map((line) => JSON.parse(line))) sums.set(file, (sums.get(file) ?? 0) + seconds)
  return [...sums]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([file, seconds]) => `${cpuText(seconds).padStart(12)}  ${file}`)
}
