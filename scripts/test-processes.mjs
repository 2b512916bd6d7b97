import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './workspaces.mjs'

/** Loading the gateway costs a process two seconds, so the test files of one folder share one, but for those that start servers. */
const SHARING = /^(?:plugins|examples|sdk|kernel\/test\/(?:access|boot|events|http|mcp|registry))\//
/** With more than this, the last process is long alone. */
const MOST_FILES = 8
/** Hooks of a whole file, and changes to the environment, reach every test of their process. */
const NEEDS_OWN_PROCESS = /^(?:before|after)(?:Each)?\(|^\s*(?:delete )?process\.env\.\w+(?: = |$)/m

/**
 * Which test files run together, each group in a process of its own: neighbours in one folder, in their order.
 * @param {readonly string[]} files
 * @returns {string[][]}
 */
export function testProcesses(files) {
  /** @type {string[][]} */
  const groups = []
  /** @type {Map<string, string[]>} */
  const open = new Map()
  for (const file of files) {
    const folder = dirname(file)
    const group = open.get(folder)
    const isAlone = !SHARING.test(file) || NEEDS_OWN_PROCESS.test(readFileSync(join(root, file), 'utf8'))
    if (!isAlone && group && group.length < MOST_FILES) {
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
 * Writes a module per group that loads its files; the names keep the order, since `node --test` sorts what it is given.
 * @param {readonly (readonly string[])[]} groups
 * @returns {{ readonly entries: string[], remove(): void }}
 */
export function writeEntries(groups) {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tests-'))
  const entries = groups.map((files, i) => {
    const entry = join(folder, `${String(i).padStart(4, '0')}.mjs`)
    writeFileSync(entry, files.map((file) => `import ${JSON.stringify(pathToFileURL(join(root, file)).href)}\n`).join(''))
    return entry
  })
  return { entries, remove: () => rmSync(folder, { recursive: true }) }
}
