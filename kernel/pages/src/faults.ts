import { type DashboardPage, PAGE_GROUPS, type Plugin } from '@gateway/sdk'
import { actionFaults } from './action-faults.ts'
import type { Scene } from './argument-faults.ts'
import { actionsOf, operationsOf, parametersOf } from './bindings.ts'
import { overviewOf } from './overview.ts'
import { panelFaults } from './panel-faults.ts'

export interface Fault {
  readonly plugin: string
  readonly what: string
}

/** Parameters without names: two pages of one shape would hide each other. */
const shapeOf = (path: string): string => (path.includes(':') ? path.replaceAll(/:[A-Za-z0-9_]+/g, ':') : path)
const PATH = /^\/(?:[a-z0-9][a-z0-9-]*|:[A-Za-z][A-Za-z0-9_]*)(?:\/(?:[a-z0-9][a-z0-9-]*|:[A-Za-z][A-Za-z0-9_]*))*$/

/** All faults of the pages of these plugins. Pure and fast, because every start runs it. */
export function pageFaults(plugins: readonly Plugin[]): readonly Fault[] {
  const faults: Fault[] = []
  const operations = operationsOf(plugins)
  const taken = new Map<string, string>()
  for (const plugin of plugins) {
    if (plugin.pages.length + plugin.overview.length === 0) continue
    const scene = { own: operationsOf([plugin]), operations, links: linkFaults(plugin) }
    for (const page of plugin.pages) {
      const say = (what: string): void => void faults.push({ plugin: plugin.id, what: `page ${page.path}: ${what}` })
      const owner = taken.get(shapeOf(page.path))
      if (owner === undefined) taken.set(shapeOf(page.path), plugin.id)
      else say(owner === plugin.id ? 'the path is declared twice' : `the path is taken by plugin '${owner}'`)
      for (const what of [...identityFaults(page), ...faultsOf(page, scene)]) say(what)
    }
    for (const what of faultsOf(overviewOf([plugin]), scene)) faults.push({ plugin: plugin.id, what: `overview: ${what}` })
  }
  return faults
}

function faultsOf(page: DashboardPage, ofPlugin: Omit<Scene, 'params'>): readonly string[] {
  const faults = [...twice(page)]
  const scene: Scene = { params: parametersOf(page.path), ...ofPlugin }
  for (const panel of page.panels) for (const what of panelFaults(panel, page, scene)) faults.push(`panel ${panel.id}: ${what}`)
  for (const action of page.actions) for (const what of actionFaults(action, undefined, scene)) faults.push(`action ${action.id}: ${what}`)
  return faults
}

function identityFaults({ path, title, icon, group, heading, panels }: DashboardPage): string[] {
  const faults: string[] = []
  if (!PATH.test(path)) faults.push('the path must read /name or /name/:parameter, in lower case')
  if (typeof title !== 'string' || title.trim() === '') faults.push('a title is missing')
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(icon)) faults.push(`the icon must be a kebab-case name; got ${JSON.stringify(icon)}`)
  if (!PAGE_GROUPS.includes(group)) faults.push(`the group must be one of ${PAGE_GROUPS.join(', ')}; got ${JSON.stringify(group)}`)
  if (heading !== undefined && parametersOf(path).length !== 1) faults.push('a heading needs a path with one parameter')
  if (panels.length === 0) faults.push('it has no panel')
  return faults
}

function twice({ panels, actions }: DashboardPage): string[] {
  const all: { readonly id: string }[] = [...actions]
  for (const panel of panels) all.push(...actionsOf(panel))
  return [...repeated('panel', panels), ...repeated('action', all)]
}

function repeated(what: string, all: readonly { readonly id: string }[]): string[] {
  const seen = new Set<string>()
  const again = new Set<string>()
  for (const { id } of all) (seen.has(id) ? again : seen).add(id)
  return [...again].map((id) => `the ${what} ${id} is there twice`)
}

/** A page of another plugin may be switched off; the plugin's own exists. */
function linkFaults({ pages }: Plugin): Scene['links'] {
  const paths = new Set(pages.map(({ path }) => path))
  const families = new Set(pages.map(({ path }) => path.split('/')[1]))
  return ({ to, with: given = {} }) => {
    const missing = parametersOf(to).filter((name) => !Object.hasOwn(given, name))
    if (missing.length > 0) return `the link to ${to} has nothing for :${missing.join(', :')}`
    return !paths.has(to) && families.has(to.split('/')[1]) ? `the link to ${to} leads to no page of this plugin` : undefined
  }
}
