import { dirname } from 'node:path'
import type { Plugin } from '@gateway/sdk'

/** Files allowed at the root of a plugin's `src`. */
const ROOT = ['index.ts', 'api.ts', 'schema.ts', 'collections.ts', 'config.ts', 'errors.ts', 'metrics.ts']
/** Folders for the basis of the points, one idea a file; `helper` runs in a process of the plugin's own. */
const FREE_FOLDERS = ['operations', 'rules', 'helper']

/**
 * Returns differences between a folder of `src` and the shape in docs/plugins.md, one line each: the file, and its correct place.
 * @param files paths below `src`
 */
export function shapeFaults(plugin: Plugin, files: readonly string[]): string[] {
  const points = pointsOf(plugin)
  const missing = Object.entries(points).flatMap(([folder, names]) =>
    names.filter((name) => !files.some((file) => isOf(file, folder, name))).map((name) => `${folder}/${name}.ts is missing`),
  )
  return [...missing, ...files.flatMap((file) => faultOf(file, points))]
}

type Points = Readonly<Record<string, readonly string[]>>

/** Returns the file names, without ending, of the plugin's declarations, by folder. */
function pointsOf(plugin: Plugin): Points {
  const local = (id: string): string => fileName(plugin.id, id)
  return {
    tools: plugin.tools.map(({ name }) => name.replaceAll('_', '-')),
    routes: plugin.routes.map(({ name }) => local(name)),
    resources: plugin.resources.map(({ name }) => local(name)),
    prompts: plugin.prompts.map(({ name }) => local(name)),
    jobs: plugin.jobs.map(({ id }) => local(id)),
    services: plugin.provides.map(({ ref }) => local(ref.id)),
    contributions: plugin.contributes.map(({ to }) => local(to.id)),
    commands: plugin.commands.map(({ name }) => name),
    pages: [...plugin.pages.map(({ path }) => pageFile(path)), ...(plugin.overview.length > 0 ? ['overview'] : [])],
    listeners: plugin.on.map(({ event }) => local(event.id)),
  }
}

/** `tasks.lease-reap` is lease-reap.ts in tasks and tasks-lease-reap.ts elsewhere; names of the gateway need no prefix. */
function fileName(family: string, id: string): string {
  const [owner = '', ...rest] = id.split(/[._\s]/)
  const own = rest.length > 0 && [family, 'gateway'].includes(owner)
  return (own ? rest : [owner, ...rest]).join('-').toLowerCase()
}

/** `/tasks` is tasks.ts, `/brain/log` brain-log.ts, and `/tasks/:taskId`, which shows one of them, task.ts. */
function pageFile(path: string): string {
  const steps = path.split('/').slice(1)
  const named = steps.filter((step) => !step.startsWith(':')).join('-')
  return steps.at(-1)?.startsWith(':') ? named.replace(/s$/, '') : named
}

/** A point may have several files: fleet-panel-queue.ts, fleet-panel-cost.ts. */
function isOf(file: string, folder: string, name: string): boolean {
  const several = folder === 'contributions' || folder === 'listeners'
  return file === `${folder}/${name}.ts` || (several && file.startsWith(`${folder}/${name}-`))
}

function faultOf(file: string, points: Points): string[] {
  const folder = dirname(file)
  if (folder === '.') return ROOT.includes(file) ? [] : [`${file} stands at the root, where only ${ROOT.join(', ')} do`]
  if (FREE_FOLDERS.includes(folder)) return []
  const names = points[folder]
  if (names === undefined)
    return [`${file}: there is no folder ${folder}; it is one of ${[...Object.keys(points), ...FREE_FOLDERS].join(', ')}`]
  if (names.some((name) => isOf(file, folder, name))) return []
  return [`${file} is named after none of the plugin’s ${folder} (${names.join(', ')}); what they share stands in operations or rules`]
}
