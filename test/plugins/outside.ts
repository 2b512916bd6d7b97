/** A third-party plugin: outside the repository, against packed tarballs of the SDK and the kernel. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { writeScaffold } from '../../bin/cli/src/plugin/write-scaffold.ts'
import { root } from '../../scripts/workspaces.mjs'

export interface Ran {
  readonly code: number
  readonly output: string
}

/** Settings for npm's cache and registry, and for the network: proxy and certificates. */
const NETWORK =
  /^(npm_config_(registry|cache|userconfig|cafile|proxy|https_proxy|noproxy)|node_extra_ca_certs|ssl_cert_(file|dir)|(https?|no)_proxy)$/i

/** Runs a command to its end, with only the environment variables that find programs and packages. */
export async function run(command: string, args: readonly string[], cwd: string, env: Readonly<Record<string, string>> = {}): Promise<Ran> {
  const { PATH = '', HOME = '' } = process.env
  const network = Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK.test(name)))
  const child = spawn(command, args, { cwd, env: { ...network, PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: code as number, output: stdout + stderr }
}

export interface Outside {
  readonly folder: string
  readonly remove: () => Promise<void>
}

/** Matches npm's errors when it reaches no registry. */
export const UNREACHABLE = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT)\b/

/** Returns the scaffold of `id` with everything installed; or the reason it is unavailable here. Any other failure throws. */
export async function installOutside(id: string): Promise<Outside | { readonly unreachable: string }> {
  const base = await mkdtemp(join(tmpdir(), 'gateway-outside-'))
  const remove = (): Promise<void> => rm(base, { recursive: true, force: true })
  try {
    const folder = join(base, id)
    await writeScaffold(id, folder, root)
    const options = ['--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1', '--fetch-timeout=20000']
    const installed = await run('npm', ['install', ...options], folder)
    if (installed.code === 0) return { folder, remove }
    await remove()
    const code = UNREACHABLE.exec(installed.output)?.[0]
    if (code === undefined) throw new Error(installed.output)
    return { unreachable: `npm reaches no registry: ${code}` }
  } catch (error) {
    await remove()
    throw error
  }
}
