import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standardPlugins } from '@gateway/standard'
import { drawnIcons } from '../../../test/support/drawn-icons.ts'

test('every icon that a page of the distribution names is drawn', () => {
  const drawn = drawnIcons()
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
