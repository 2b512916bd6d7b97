import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns the number of appended pages per second that the disk makes durable, one after the other: the upper bound on any
 * store's commits.
 */
export function syncsPerSecond(folder: string, seconds: number): number {
  const path = join(folder, 'sync-probe')
  const file = openSync(path, 'w')
  const page = Buffer.alloc(4096, 1)
  let count = 0
  const began = performance.now()
  try {
    while (performance.now() - began < seconds * 1000) {
      writeSync(file, page)
      fdatasyncSync(file)
      count += 1
    }
    return (count / (performance.now() - began)) * 1000
  } finally {
    closeSync(file)
    unlinkSync(path)
  }
}
