import { closeSync, fdatasyncSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** How many appended pages the disk makes durable in a second, one after the other: the most commits any store could have. */
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
