import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root } from '../../scripts/workspaces.mjs'
import { needing } from '../support/programs.ts'
import { keyboard, mouse, seen } from './jobs/hands.ts'
import { jobs } from './jobs/jobs.ts'
import { settled, startDashboard } from './support.ts'

test('docs/dashboard.md lists the thirty jobs that are tried', () => {
  const text = readFileSync(join(root, 'docs', 'dashboard.md'), 'utf8')
  const listed = [...text.matchAll(/^\| (\d+) \| (.+?) \|/gm)].map(([, index, name]) => [Number(index), name])
  assert.deepEqual(
    listed,
    jobs.map(({ name }, index) => [index + 1, name]),
  )
  assert.equal(jobs.length, 30)
})

const { name, skip } = needing('chromium', 'each of thirty jobs is done with the mouse, and with the keyboard alone')
test(name, { skip, timeout: 1_800_000 }, async (t) => {
  await using dashboard = await startDashboard({ config: { tasks: { maxRetries: 0 } } })
  const { gateway } = dashboard
  for (const [kind, handOf] of [
    ['mouse', mouse],
    ['keyboard', keyboard],
  ] as const)
    for (const [index, job] of jobs.entries())
      await t.test(`${job.name}, with the ${kind}`, async () => {
        const page = await dashboard.open('/')
        page.setDefaultTimeout(20_000)
        await settled(page)
        const visit = async (path: string): Promise<void> => {
          await page.goto(gateway.url + path)
          await settled(page)
        }
        const call = (tool: string, args: object) => gateway.call(tool, args, { via: 'rest' })
        await job.walk({ page, hand: handOf(page), at: seen(page), mark: `${kind[0]}${index + 1}`, call, visit })
        await page.close()
      })
  dashboard.assertQuiet()
})
