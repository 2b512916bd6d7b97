import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { needing } from '../support/programs.ts'
import { axeFaults, settled, startDashboard } from './support.ts'

const IDS = ['dashboard', 'git', 'memory', 'brain', 'outgoing', 'trash', 'tasks', 'repos', 'code-graph']
const plugins = standardPlugins.filter(({ id }) => IDS.includes(id))

const branches = needing('chromium', 'the branches of the brain are drawn, and each commit and branch leads to its changes')
test(branches.name, { skip: branches.skip, timeout: 120_000 }, async () => {
  await using dashboard = await startDashboard({ plugins })
  const { gateway } = dashboard
  const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
  const commit = async (slug: string) => {
    gateway.clock.advance(60)
    return (await call('brain_commit', { kind: 'memory', slug, content: `The ${slug} creaks.` })).commit
  }
  await commit('gate')
  await call('brain_branch', { slug: 'hinges' })
  await commit('hinge')
  await call('brain_checkout', { ref: 'main' })
  await commit('fence')
  await call('brain_merge', { branch: 'idea/hinges' })
  const page = await dashboard.open('/dashboard/brain/log')
  await settled(page)
  const drawn = page.getByRole('region', { name: 'Branches' }).locator('.commits > li')
  await drawn.first().waitFor()
  assert.deepEqual(await drawn.evaluateAll((rows) => rows.map((row) => row.querySelector('circle')?.getAttribute('class'))), [
    'lane-0',
    'lane-0',
    'lane-1',
    'lane-0',
    'lane-0',
  ])
  assert.match((await drawn.first().locator('.unseen').textContent()) ?? '', /^, follows “.*fence.*”, merges “.*hinge.*”$/)
  await drawn.nth(2).getByRole('link', { name: 'idea/hinges' }).waitFor()
  await drawn.nth(1).getByRole('link').first().focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Brain diff' }).waitFor()
  await page.getByText('The fence creaks.').first().waitFor()
  assert.equal(await page.getByText('The hinge creaks.').count(), 0)
  dashboard.assertQuiet()
})

const impact = needing('chromium', 'the impact of a file is drawn, its boxes say what leads to them, and each opens its own')
test(impact.name, { skip: impact.skip, timeout: 120_000 }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'gateway-impact-'))
  try {
    await writeFile(join(root, 'lib.ts'), 'export const one = 1\n')
    await writeFile(join(root, 'app.ts'), "import { one } from './lib'\nexport const two = one\n")
    await writeFile(join(root, 'lib.test.ts'), "import { one } from './lib'\none\n")
    await using dashboard = await startDashboard({ plugins, env: { GATEWAY_ROOT: root, PATH: process.env.PATH ?? '' } })
    const page = await dashboard.open('/dashboard/code-graph?node=lib.ts')
    await settled(page)
    const drawing = page.getByRole('region', { name: 'Impact of a change' }).locator('.graph')
    await drawing.getByRole('link', { name: 'lib.ts, changed' }).waitFor()
    await drawing.getByRole('link', { name: 'lib.test.ts, test, after lib.ts' }).waitFor()
    assert.deepEqual(await axeFaults(page), [])
    await drawing.getByRole('link', { name: 'app.ts, dependent, after lib.ts' }).focus()
    await page.keyboard.press('Enter')
    await drawing.getByRole('link', { name: 'app.ts, changed' }).waitFor()
    dashboard.assertQuiet()
  } finally {
    await rm(root, { recursive: true, force: true })
  }
})
