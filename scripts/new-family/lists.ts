import type { Row } from '../../test/catalogue/catalogue.ts'
import { camel, type Family } from './family.ts'
import { manifest } from './family-files.ts'

type Json = Record<string, unknown>
/** The parts of package-lock.json that a workspace stands in. */
interface Lockfile {
  packages: Record<string, Json & { dependencies?: Record<string, string> }>
}

const VERSION = '0.1.0'

/** With the family imported, and listed after those that are there. */
export function withImport(source: string, { id }: Family): string {
  const line = `import ${camel(id)} from '@gateway/plugin-${id}'`
  const imports = [...source.matchAll(/^import \w+ from '@gateway\/plugin-[^']+'$/gm)].map(([found]) => found)
  const after = imports.findLast((found) => specifier(found) < specifier(line))
  const imported = after === undefined ? `${line}\n${source}` : source.replace(after, `${after}\n${line}`)
  const end = imported.lastIndexOf('\n]')
  return `${imported.slice(0, end)}\n  ${camel(id)},${imported.slice(end)}`
}

const specifier = (line: string): string => /'(.*)'/.exec(line)?.[1] ?? ''

/** The package.json of the standard distribution, with the family among its dependencies. */
export function withDependency(manifestText: string, { id }: Family): string {
  const parsed = JSON.parse(manifestText) as Json & { dependencies: Record<string, string> }
  parsed.dependencies = sorted({ ...parsed.dependencies, [`@gateway/plugin-${id}`]: VERSION })
  return `${JSON.stringify(parsed, null, 2)}\n`
}

/** The lockfile as `npm install` would leave it: the workspace, its link, and what depends on it. */
export function withWorkspace(lockText: string, family: Family): string {
  const lock = JSON.parse(lockText) as Lockfile
  const { name, version, license, dependencies, engines } = manifest(family)
  const standard = lock.packages['plugins/standard']
  lock.packages = sorted({
    ...lock.packages,
    [`node_modules/${name}`]: { resolved: `plugins/${family.id}`, link: true },
    [`plugins/${family.id}`]: { name, version, license, dependencies, engines },
    'plugins/standard': { ...standard, dependencies: sorted({ ...standard?.dependencies, [name]: VERSION }) },
  })
  return `${JSON.stringify(lock, null, 2)}\n`
}

/** In npm’s order. */
function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))
}

/** A row for each tool the catalogue does not have, at its end. */
export function withRows(text: string, { id, tools }: Family): string {
  const rows = JSON.parse(text) as readonly Row[]
  const known = new Set(rows.map(({ name }) => name))
  const added = tools
    .filter(({ name }) => !known.has(name))
    .map(({ name, effect, description }): Row => ({ name, family: id, effect, description, args: [] }))
  return appended(text, added)
}

/** A question for a family that nobody asks for yet: the name of its first tool, which is asked for as well. */
export function withQuestion(text: string, { tools }: Family): string {
  const questions = JSON.parse(text) as readonly { question: string; expected: readonly string[] }[]
  const [first] = tools
  if (first === undefined || questions.some(({ expected }) => tools.some(({ name }) => expected.includes(name)))) return text
  const added = { question: first.name.replaceAll('_', ' '), expected: [first.name] }
  return appended(text, [added])
}

/** The text of a JSON array with more in it; what is there stays as it is written. */
function appended(text: string, items: readonly object[]): string {
  const lines = items.map((item) => `,\n  ${JSON.stringify(item)}`)
  return `${text.slice(0, text.lastIndexOf('\n]'))}${lines.join('')}\n]\n`
}
