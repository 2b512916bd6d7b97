import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './workspaces.mjs'

/**
 * Loading the gateway costs a process seconds of CPU time, so test files share one, except these: they keep both cores busy alone,
 * measure their own memory, watch all of their process, or depend on a fresh one.
 */
const ALONE =
  /^(?:kernel\/(?:core\/test\/ids\.|http\/test\/(?:bad-requests|openapi-swagger)|storage-sqlite\/test\/heavy|storage-mongodb\/)|test\/(?:abuse|container|leases)\/)/
/** With more than this, the last process runs alone for long. */
const MAX_FILES = 36
/** Changes to the environment reach every test of their process. */
const CHANGES_ENVIRONMENT = /^\s*(?:delete )?process\.env\.\w+(?: = |$)/m

/** @type {Map<string, boolean>} */
const internal = new Map()
/** A relative import, static or dynamic, or a reference to a file beside the module. */
const RELATIVE = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g

/**
 * Tells the test files that import sources of a package, directly or through their helpers. They need every package from its sources,
 * or a package would be loaded twice. All others use the build, which loads six times faster.
 * @param {string} file below the root
 * @returns {boolean}
 */
export function importsSources(file) {
  const known = internal.get(file)
  if (known !== undefined) return known
  // An import cycle ends here.
  internal.set(file, false)
  const found = [...readFileSync(join(root, file), 'utf8').matchAll(RELATIVE)].some(([, path = '']) => {
    const imported = join(dirname(file), path)
    if (imported.includes('/src/')) return true
    return imported.endsWith('.ts') && existsSync(resolve(root, imported)) && importsSources(imported)
  })
  internal.set(file, found)
  return found
}

/**
 * Groups the test files, each group for its own process: neighbours under one top folder, in their order.
 * @param {readonly string[]} files
 * @returns {string[][]}
 */
export function testProcesses(files) {
  /** @type {string[][]} */
  const groups = []
  /** @type {Map<string, string[]>} */
  const open = new Map()
  for (const file of files) {
    const [folder = ''] = file.split('/')
    const group = open.get(folder)
    const isAlone = ALONE.test(file) || CHANGES_ENVIRONMENT.test(readFileSync(join(root, file), 'utf8'))
    if (!isAlone && group && group.length < MAX_FILES) {
      group.push(file)
      continue
    }
    const begun = [file]
    groups.push(begun)
    if (!isAlone) open.set(folder, begun)
  }
  return groups
}

/**
 * Writes a module per group that loads its files; the names keep the order, since `node --test` sorts its arguments. Each
 * file is a suite with its own hooks, and is loaded after the one before, whose tests are then known.
 * @param {readonly (readonly string[])[]} groups
 * @returns {{ readonly entries: string[], remove(): void }}
 */
export function writeEntries(groups) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'))
  const entries = groups.map((files, i) => {
    const entry = join(folder, `${String(i).padStart(4, '0')}.mjs`)
    writeFileSync(entry, files.length === 1 ? alone(files[0]) : suites(files))
    return entry
  })
  return { entries, remove: () => rmSync(folder, { recursive: true }) }
}

const PROFILE = JSON.stringify(new URL('./test-profile.mjs', import.meta.url).href)

function alone(file) {
  return `import { charge } from ${PROFILE}
process.once('exit', () => charge(${JSON.stringify(file)}))
import ${address(file)}
`
}

function suites(files) {
  const loaded = files.map((file) => `load(${JSON.stringify(file)}, () => import(${address(file)}))\n`)
  // The runner knows a test's suite by the asynchronous context it is declared in, which the import has to keep.
  return `import { AsyncResource } from 'node:async_hooks'
import { after, describe } from 'node:test'
import { charge } from ${PROFILE}
let last = Promise.resolve()
function load(file, begin) {
  const previous = last
  describe(file, () => {
    last = previous.then(AsyncResource.bind(begin)).finally(() => charge(file))
    after(() => charge(file))
    return last
  })
}
${loaded.join('')}`
}

function address(file) {
  return JSON.stringify(pathToFileURL(join(root, file)).href)
}
