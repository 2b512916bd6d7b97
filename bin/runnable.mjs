/**
 * Prints a sentence instead of a stack trace when Node is too old or the repository has nothing installed. Imported for that
 * alone,
 * before anything that needs either, so it uses nothing newer than Node 14.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const { engines } = JSON.parse(readFileSync(fileURLToPath(new URL('package.json', import.meta.url)), 'utf8'))
/** Works in the repository and where npm installed it. */
const folders = createRequire(import.meta.url).resolve.paths('@gateway/cli') || []

function whyNot() {
  const [, least] = /^>=(.+)$/.exec(engines.node)
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    return `it needs Node ${least} or newer, and this is ${process.versions.node}.`
  }
  if (!folders.some((folder) => existsSync(join(folder, '@gateway', 'cli')))) {
    return 'its packages are not installed; run `npm ci` in the repository first (`npm ci --omit=dev` to run it only).'
  }
  return undefined
}

const why = whyNot()
if (why !== undefined) {
  console.error(`gateway: ${why}`)
  process.exit(1)
}
