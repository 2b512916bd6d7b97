import assert from 'node:assert/strict'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { VERSION } from '../../../kernel/core/src/version.ts'
import { ended, spawnProgram, temporaryFolder } from './cli-fixture.ts'

const program = join(import.meta.dirname, '../../../bin/gateway.js')

test('bin/gateway.js is the command, and its exit code is the command’s', async () => {
  const version = await ended(spawnProgram(program, ['version'], {}))
  assert.deepEqual([version.code, version.stdout], [0, `gateway ${VERSION} (Node ${process.versions.node})\n`])
  const wrong = await ended(spawnProgram(program, ['frobnicate'], {}))
  assert.deepEqual([wrong.code, wrong.stdout], [64, ''])
})

test('without a build the command says how to make one', async (t) => {
  const folder = await temporaryFolder(t)
  const cli = join(folder, 'node_modules', '@gateway', 'cli')
  await mkdir(cli, { recursive: true })
  await writeFile(join(cli, 'package.json'), '{"name":"@gateway/cli","type":"module","exports":"./dist/index.js"}')
  await mkdir(join(folder, 'bin'))
  for (const file of ['gateway.js', 'runnable.mjs', 'package.json']) await cp(join(program, '..', file), join(folder, 'bin', file))
  const { code, stderr } = await ended(spawnProgram(join(folder, 'bin', 'gateway.js'), ['status'], {}))
  assert.deepEqual([code, stderr], [1, 'gateway: it is not built yet; run `npm run build` in the repository first.\n'])
})
