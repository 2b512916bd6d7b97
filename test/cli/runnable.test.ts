import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')

/** Returns the command of a copy of the repository without installed packages. */
function bare(t: { after(work: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-bare-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const part of ['bin', 'scripts', 'package.json']) cpSync(join(root, part), join(folder, part), { recursive: true })
  return folder
}

function said(folder: string, ...args: string[]) {
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  return { status, stderr }
}

for (const program of ['bin/gateway.js', 'scripts/build.mjs']) {
  test(`${program} says in a sentence that nothing is installed`, (t) => {
    const stderr = 'gateway: its packages are not installed; run `npm ci` in the repository first (`npm ci --omit=dev` to run it only).\n'
    assert.deepEqual(said(bare(t), program, '--if-stale'), { status: 1, stderr })
  })

  test(`${program} says in a sentence that Node is too old`, (t) => {
    const folder = bare(t)
    const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.19.0' } })"
    writeFileSync(join(folder, 'old.cjs'), old)
    const { status, stderr } = said(folder, '--require', './old.cjs', program, '--if-stale')
    assert.deepEqual([status, stderr], [1, 'gateway: it needs Node 20.20 or newer, and this is 18.19.0.\n'])
  })
}

test('npm runs the service in its own place, so that who ends npm ends the gateway', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(scripts.start, 'exec node bin/gateway.js start')
})
