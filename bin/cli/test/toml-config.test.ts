import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TomlConfig } from '../src/toml-config.ts'

const MINE = '[servers.gateway]\nurl = "http://one"\n# within the table\nheaders = "none"\n\n[servers.gateway.env]\nA = "1"\n'
const AFTER = '\n# My own proxy, do not touch.\n[servers.proxy]\nurl = "http://two"\n\n# The end.\n'

async function changed(before: string, change: (config: TomlConfig) => Promise<unknown>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'toml-'))
  try {
    const path = join(folder, 'config.toml')
    await writeFile(path, before)
    await change(new TomlConfig(path, 'servers', 'gateway'))
    return await readFile(path, 'utf8')
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('comments behind the table stay when it is removed, wherever it is', async () => {
  const undo = (before: string) => changed(before, (config) => config.undo())
  assert.equal(await undo(`# Mine.\nmodel = "x"\n\n${MINE}${AFTER}`), `# Mine.\nmodel = "x"\n\n${AFTER}`)
  assert.equal(await undo(`model = "x"\n${MINE}\n# The end.\n`), 'model = "x"\n\n# The end.\n')
})

test('comments behind the table stay when it is written again', async () => {
  const write = (before: string) => changed(before, (config) => config.write({ url: 'http://three' }))
  const rest = AFTER.trim()
  const once = await write(`model = "x"\n\n${MINE}${AFTER}`)
  assert.equal(once, `model = "x"\n\n\n${rest}\n\n[servers.gateway]\nurl = "http://three"\n`)
  assert.equal(await write(once), once)
})
