/**
 * Compiles TypeScript as Node.js loads it. Imports in this repository name files in full, so only the `load` of such a file has
 * to be customised; a loader that also finds modules makes the start of a gateway take half as long again, and the tests do that
 * hundreds of times.
 */
import { fileURLToPath } from 'node:url'
import { javascriptOf } from './cache.mjs'

/** Works for hooks in the loading thread and in a separate one. */
export function load(url, context, nextLoad) {
  if (!/^file:[^?#]*\.ts(?:[?#]|$)/.test(url)) return nextLoad(url, context)
  return { format: 'module', source: javascriptOf(fileURLToPath(url)), shortCircuit: true }
}
