import { readdirSync, readFileSync } from 'node:fs'

/** Returns the helper of a gateway, from the files of Linux; `undefined` while it has no helper. */
export function helperOf(dataDir: string): number | undefined {
  const gateway = Number(/"pid":\s*(\d+)/.exec(readFileSync(`${dataDir}/process/owner.json`, 'utf8'))?.[1])
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const parent = Number(/\) \S+ (\d+)/.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1])
      if (parent === gateway && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('helper')) return Number(name)
    } catch {
      // The process ended during the check.
    }
  }
  return undefined
}
