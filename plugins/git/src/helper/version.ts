import { run } from './run.ts'

/** The first version with `merge-tree --write-tree`. */
const MIN_VERSION = [2, 38] as const

export interface Probe {
  readonly version: string | undefined
  readonly fault?: string
}

export async function probe(program: string): Promise<Probe> {
  const said = await run(['version'], { folder: '/' }).catch((error: unknown) => String(error))
  if (typeof said === 'string') return { version: undefined, fault: `\`${program}\` cannot be run` }
  const version = /\d+\.\d+(\.\d+)?/.exec(said.output)?.[0]
  if (version === undefined) return { version, fault: `\`${program}\` does not say its version` }
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > MIN_VERSION[0] || (major === MIN_VERSION[0] && minor >= MIN_VERSION[1])
  return isEnough ? { version } : { version, fault: `\`${program}\` is version ${version}` }
}
