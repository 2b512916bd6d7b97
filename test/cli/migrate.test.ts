import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { standardPlugins } from '@gateway/standard'
import { startTestGateway } from '@gateway/testing'

const program = join(import.meta.dirname, '..', '..', 'bin', 'gateway.js')

test('after a migration to another data folder, brains are found there by who copies what the command names', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-migrate-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const [from, to] = [join(folder, 'from'), join(folder, 'to')]
  const before = await startTestGateway({ plugins: standardPlugins, dataDir: from })
  t.after(() => before.stop())
  await before.call('brain_commit', { kind: 'memory', slug: 'salt', content: '# Salt\n\nThe sea is salty.' })
  await before.stop()
  await writeFile(join(from, 'drawing.svg'), '<svg/>')

  const { stdout } = await promisify(execFile)(process.execPath, [program, 'migrate', '--to', `sqlite:${to}`, '--finish'], {
    env: { PATH: process.env.PATH ?? '', GATEWAY_DATA_DIR: from },
  })
  const [, names = '', source = '', target = ''] = /Next: copy (.+) from (\S+) to (\S+);/.exec(stdout) ?? []
  assert.deepEqual([names, source, target], ['audit, brains, drawing.svg and keys', from, to], stdout)
  for (const name of names.split(/, | and /)) await cp(join(source, name), join(target, name), { recursive: true })

  const after = await startTestGateway({ plugins: standardPlugins, dataDir: to })
  t.after(() => after.stop())
  const { hits } = await after.call('brain_search', { query: 'salty' })
  assert.deepEqual(
    hits.map(({ atom }: { atom?: { slug: string } }) => atom?.slug),
    ['salt'],
  )
})
