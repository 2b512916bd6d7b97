/**
 * Programs of Python that tests and benchmarks use: each in a virtual environment of its own in the user's cache folder, outside the
 * repository. They are no part of any package.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const INSTALL_LIMIT_MS = 600_000
const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'gateway-tests')

/**
 * Installs packages where they are missing.
 * @param {string} name of the folder; one for each set of versions
 * @param {readonly string[]} packages with their versions
 * @returns {{ readonly bin: string } | { readonly reason: string }} its folder of programs, or the reason why there is none
 */
export function pythonEnvironment(name, packages) {
  const folder = join(cache, name)
  const bin = join(folder, 'bin')
  const complete = join(folder, 'complete')
  if (existsSync(complete)) return { bin }
  rmSync(folder, { recursive: true, force: true })
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-compile', '--disable-pip-version-check', ...packages]
  const commands = [/** @type {const} */ (['python3', ['-m', 'venv', folder]]), /** @type {const} */ ([join(bin, 'python'), pip])]
  for (const [command, args] of commands) {
    const { status } = spawnSync(command, args, { stdio: 'ignore', timeout: INSTALL_LIMIT_MS })
    if (status !== 0) return { reason: `${packages.join(' ')} could not be installed into ${folder}` }
  }
  writeFileSync(complete, '')
  return { bin }
}
