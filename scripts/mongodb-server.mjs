/**
 * The MongoDB server of the tests: SecantusDB, a Python package that speaks MongoDB's protocol on the WiredTiger library, with
 * snapshot transactions. It is licensed under the GPL, so tests start it as a process and no package contains it. `npm run
 * mongodb:install` puts it into a virtual environment in the user's cache folder.
 */
import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isExecutable, pathFolders, programIn } from './executable.mjs'

const VERSION = '0.7.0b3'
const PROGRAM = 'secantusd-py'
const INSTALL_LIMIT_MS = 300_000

const environment = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'gateway-tests', `secantusdb-${VERSION}`)

/**
 * The program's path, or the reason why there is none. TEST_MONGODB_SERVER names another program.
 * @returns {{ readonly path: string } | { readonly reason: string }}
 */
export function serverProgram() {
  const named = process.env.TEST_MONGODB_SERVER
  if (named) return isExecutable(named) ? { path: named } : { reason: `TEST_MONGODB_SERVER names no program: ${named}` }
  const path = programIn(PROGRAM, [...pathFolders(), join(environment, 'bin')])
  return path === undefined ? { reason: 'needs the server of `npm run mongodb:install`, or MONGODB_URL' } : { path }
}

/** @returns {string | undefined} the reason why it could not be installed */
function install() {
  const commands = [
    ['python3', '-m', 'venv', environment],
    [
      join(environment, 'bin', 'python'),
      '-m',
      'pip',
      'install',
      '--quiet',
      '--no-compile',
      '--disable-pip-version-check',
      `SecantusDB==${VERSION}`,
    ],
  ]
  for (const [command, ...args] of commands) {
    const { status, error } = spawnSync(/** @type {string} */ (command), args, { stdio: 'ignore', timeout: INSTALL_LIMIT_MS })
    if (status !== 0) return error ? error.message : `${command} ended with ${status}`
  }
  return undefined
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const reason = 'path' in serverProgram() ? undefined : install()
  if (reason !== undefined) console.log(`The MongoDB server of the tests could not be installed (${reason}): its tests are skipped.`)
}
