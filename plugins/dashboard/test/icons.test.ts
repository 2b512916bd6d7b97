import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { root } from '../../../scripts/workspaces.mjs'

test('every icon that a page of the distribution names is drawn', () => {
  const drawn = new Set(
    [...readFileSync(join(root, 'dashboard/app/parts/icons.ts'), 'utf8').matchAll(/^ {2}(\w+),$/gm)].map(([, name]) =>
      (name as string).replaceAll(/(?<=[a-z])(?=[A-Z0-9])|(?<=\d)(?=[A-Z])/g, '-').toLowerCase(),
    ),
  )
  const pages = standardPlugins.flatMap((plugin) => plugin.pages)
  const actions = pages.flatMap((page) => [
    ...page.actions,
    ...page.panels.flatMap((panel) => [...(panel.actions ?? []), ...(panel.action ? [panel.action] : [])]),
  ])
  const named = [...pages.map(({ icon }) => icon), ...actions.flatMap(({ icon }) => (icon === undefined ? [] : [icon]))]
  assert.deepEqual(
    [...new Set(named)].filter((icon) => !drawn.has(icon)),
    [],
  )
})
