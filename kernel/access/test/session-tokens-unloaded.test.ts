import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { fromSources } from '../../../scripts/typescript/options.mjs'

/** Imports the kernel in a separate process that refuses to load the verifier of session tokens. */
const program = `
import module from 'node:module'
const hook = 'export const resolve = (name, context, next) => { if (name === "jose") throw new Error("jose is loaded"); return next(name, context) }'
const source = 'data:text/javascript,' + encodeURIComponent(hook)
if (module.registerHooks) module.registerHooks(await import(source))
else module.register(source)
const { boot } = await import('@gateway/kernel')
console.log(typeof boot)
`

test('what verifies session tokens is not loaded with the kernel: a start without them does without its 30 ms', () => {
  const output = execFileSync(process.execPath, [...fromSources, '--input-type=module', '--eval', program], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  assert.equal(output.trim(), 'function')
})
