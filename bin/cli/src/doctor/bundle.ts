import { lstat, open, readdir } from 'node:fs/promises'
import { arch, cpus, platform, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { VERSION } from '@gateway/kernel/version'
import { CommandError, EXIT } from '@gateway/sdk/command'
import { redact } from '@gateway/sdk/redact'
import { connectHere } from '../client.ts'
import type { Env } from '../command.ts'
import { ownVariables } from '../own-variables.ts'
import type { Examined } from './examine.ts'

/**
 * Writes the facts that a helper needs as one JSON file: the report, versions, the machine, the settings, the contents of the
 * data folder, and the running service's description of itself. The environment is included by names alone; documents, tenants
 * and audit records are left out, and anything elsewhere that looks like a secret is removed.
 */
export async function writeBundle(file: string, { found, settings }: Examined, env: Env): Promise<void> {
  const bundle = {
    gateway: VERSION,
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? null,
    machine: { platform: platform(), release: release(), arch: arch(), cpus: cpus().length, memoryBytes: totalmem() },
    environment: [...ownVariables(env), ...Object.keys(env).filter((name) => name.startsWith('NODE_'))].sort(),
    report: found,
    settings: settings ?? null,
    dataFolder: settings === undefined ? null : await contentsOf(settings.dataDir),
    service: settings === undefined ? null : await answersOf(env),
  }
  await writeNew(file, `${JSON.stringify(redact(bundle), null, 2)}\n`)
}

/** Creates a file that is readable by its owner alone, from its first byte on. */
async function writeNew(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'EEXIST' ? 'exists already, and nothing is written over it' : `cannot be written: ${error.message}`
    throw new CommandError(EXIT.failure, `${file} ${why}.`)
  })
  try {
    await handle.writeFile(text)
  } finally {
    await handle.close()
  }
}

interface Contents {
  readonly mode: string
  readonly uid: number
  readonly files: number
  readonly bytes: number
}

/** Returns how much each folder holds, not what: names in there belong to tenants. */
async function contentsOf(dataDir: string): Promise<Record<string, Contents | string>> {
  const names = await readdir(dataDir).catch((error: Error) => error.message)
  if (typeof names === 'string') return { '.': names }
  const sizes = await Promise.all(
    ['.', ...names.sort()].map(async (name) => [name, await sizeOf(join(dataDir, name), name !== '.')] as const),
  )
  return Object.fromEntries(sizes)
}

async function sizeOf(path: string, deep: boolean): Promise<Contents | string> {
  try {
    const { mode, uid, size, isDirectory } = await lstat(path).then((one) => ({ ...one, isDirectory: one.isDirectory() }))
    const below = isDirectory && deep ? await readdir(path, { recursive: true, withFileTypes: true }) : []
    const files = below.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    // A file may disappear meanwhile.
    const sizes = await Promise.all(
      files.map((one) =>
        lstat(one).then(
          (stat) => stat.size,
          () => 0,
        ),
      ),
    )
    const bytes = isDirectory ? sizes.reduce((sum, one) => sum + one, 0) : size
    return { mode: (mode & 0o777).toString(8), uid, files: isDirectory ? files.length : 1, bytes }
  } catch (error) {
    return (error as Error).message
  }
}

async function answersOf(env: Env): Promise<Record<string, unknown>> {
  const service = connectHere(env)
  const answer = async (path: string): Promise<unknown> => service.get(path).catch((error: Error) => ({ error: error.message }))
  const [status, health] = await Promise.all([answer('/status'), answer('/health/deep')])
  return { url: service.url, status, health }
}
