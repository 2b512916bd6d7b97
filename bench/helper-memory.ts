import { readdirSync, readFileSync } from 'node:fs'

/**
 * Returns the MiB of the largest process that is the helper of this family: others on this machine are not measured at the same
 * time.
 */
export function helperMemory(family: string): number {
  const found = readdirSync('/proc').flatMap((name) => {
    try {
      if (!/^\d+$/.test(name) || !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`plugins/${family}/dist/helper`)) return []
      return [Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, 'utf8'))?.[1]) / 1_024]
    } catch {
      return []
    }
  })
  return Math.max(0, ...found)
}
