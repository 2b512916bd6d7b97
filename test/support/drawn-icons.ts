import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/workspaces.mjs'

/** Returns the icons that the dashboard can draw, by the names that pages use. */
export function drawnIcons(): ReadonlySet<string> {
  const names = readFileSync(join(root, 'plugins/dashboard/app/parts/icons.ts'), 'utf8').matchAll(/^ {2}(\w+),$/gm)
  return new Set([...names].map(([, name]) => (name as string).replaceAll(/(?<=[a-z])(?=[A-Z0-9])|(?<=\d)(?=[A-Z])/g, '-').toLowerCase()))
}
