/**
 * Compiles TypeScript as Node.js loads it. Imports in this repository name files in full, so only the `load` of such a file has
 * to be
 * customised; a loader that also finds modules makes the start of a gateway take half as long again, and the tests do that
 * hundreds of times.
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

/** Works for hooks in the loading thread and in a separate one. */
export function load(url, context, nextLoad) {
  if (!/^file:[^?#]*\.ts(?:[?#]|$)/.test(url)) return nextLoad(url, context)
  return { format: 'module', source: javascriptOf(fileURLToPath(url)), shortCircuit: true }
}

/** Compiled code is cached under the name of its source and compiler. */
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
