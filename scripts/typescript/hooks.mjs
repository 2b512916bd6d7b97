/**
 * Compiles TypeScript as Node.js loads it. Imports here name files in full, so that nothing but the `load` of such a file has to be
 * customised; a loader that finds modules too takes half as long again to start a gateway, which the tests do hundreds of times.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { threadId } from 'node:worker_threads'
import esbuild from 'esbuild'

const compiled = fileURLToPath(new URL('../../node_modules/.cache/typescript/', import.meta.url))
mkdirSync(compiled, { recursive: true })

const OPTIONS = {
  loader: 'ts',
  format: 'esm',
  target: 'node20',
  tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  sourcemap: 'inline',
  sourcesContent: false,
}
const BY = `${esbuild.version} ${JSON.stringify(OPTIONS)}`

/** For hooks in the thread that loads, and for those in one of their own. */
export function load(url, context, nextLoad) {
  if (!/^file:[^?#]*\.ts(?:[?#]|$)/.test(url)) return nextLoad(url, context)
  return { format: 'module', source: javascriptOf(fileURLToPath(url)), shortCircuit: true }
}

/** What was compiled once is kept, under the name of what it was compiled from and by. */
function javascriptOf(path) {
  const name = basename(path)
  const source = readFileSync(path)
  const kept = join(compiled, `${createHash('sha256').update(`${BY} ${name}\n`).update(source).digest('hex')}.js`)
  try {
    return readFileSync(kept, 'utf8')
  } catch {
    const { code } = esbuild.transformSync(source, { ...OPTIONS, sourcefile: name })
    const draft = `${kept}.${process.pid}-${threadId}`
    writeFileSync(draft, code)
    renameSync(draft, kept)
    return code
  }
}
