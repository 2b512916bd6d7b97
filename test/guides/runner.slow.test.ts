import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'
import { root } from '../../scripts/workspaces.mjs'

const guide = readFileSync(join(root, 'docs/guides/runner.md'), 'utf8')
const blocks = [...guide.matchAll(/(<!-- not run:[^\n]*\n)?^```sh\n(.*?)^```/gms)].flatMap(([, skipped, block = '']) =>
  skipped ? [] : [block],
)

test('the guide of the runner, performed as printed, ends with a commit in review', async (t) => {
  await using gateway = await startTestGateway({ plugins: standardPlugins, listen: true })
  const folder = mkdtempSync(join(tmpdir(), 'runner-guide-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'gateway')
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(root, 'bin/gateway.js')}" "$@"\n`)
  chmodSync(program, 0o755)
  const env = { HOME: folder, PATH: `${folder}:${process.env.PATH}`, GATEWAY_URL: gateway.url }
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', blocks.join('\n')], { cwd: folder, env })
  assert.match(stdout, /: delivered$/m)
  assert.match(stdout, /"status": "review"/)
  assert.match(stdout, /^[0-9a-f]{7,} Write a greeting$/m)
})
