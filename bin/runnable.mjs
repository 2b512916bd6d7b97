/**
 * Says in a sentence what would otherwise be a stack: a Node that is too old, or a repository in which nothing is installed. Imported
 * for that alone, before anything that needs either; so it uses nothing newer than Node 14.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const inRoot = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))

function whyNot() {
  const [, least] = /^>=(.+)$/.exec(JSON.parse(readFileSync(inRoot('package.json'), 'utf8')).engines.node)
  const [major, minor] = process.versions.node.split('.').map(Number)
  const [leastMajor, leastMinor] = least.split('.').map(Number)
  if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
    return `it needs Node ${least} or newer, and this is ${process.versions.node}.`
  }
  if (!existsSync(inRoot('node_modules/@gateway/cli'))) {
    return 'its packages are not installed; run `npm ci` in the repository first (`npm ci --omit=dev` to run it only).'
  }
  return undefined
}

const why = whyNot()
if (why !== undefined) {
  console.error(`gateway: ${why}`)
  process.exit(1)
}
