import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { boot } from '@gateway/defaults'
import { loadSettings } from '@gateway/settings'
import { standardPlugins } from '@gateway/standard'
import { pino } from 'pino'
import { filesUnder, root } from '../../scripts/workspaces.mjs'

const pages = [...filesUnder(join(root, 'examples'))].map(({ path }) => path).filter((path) => path.endsWith('README.md'))
const shown = pages
  .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^```json\n(.*?)^```/gms)].map(([, block = '']) => ({ path, block })))
  .filter(({ block }) => block.includes('"plugins"'))

test('examples that need settings show a config file', () => {
  const names = shown.map(({ path }) => basename(dirname(path)))
  for (const name of ['claim-guard', 'mail-channel', 'model-wire', 'weather']) assert.ok(names.includes(name), name)
})

for (const { path, block } of shown) {
  test(`a gateway starts with the config file of ${relative(root, path)}, and runs the example`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gateway-config-'))
    t.after(() => rmSync(dataDir, { recursive: true }))
    const config = join(dataDir, 'gateway.config.json')
    writeFileSync(config, block)
    const variables = Object.fromEntries([...block.matchAll(/\$\{(\w+)\}/g)].map(([, name = '']) => [name, 'secret']))
    const env = { ...variables, GATEWAY_DATA_DIR: dataDir, GATEWAY_CONFIG: config, GATEWAY_PORT: '0' }
    // The paths of the pages are relative to the folder of the repository.
    const settings = { ...loadSettings({ env, cwd: dataDir }), configFolder: root }
    const gateway = await boot({ plugins: standardPlugins, settings, log: pino({ level: 'silent' }), env })
    t.after(() => gateway.stop())
    assert.ok(gateway.inventory.plugins.some(({ id }) => id === basename(dirname(path))))
  })
}
