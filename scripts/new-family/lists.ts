import type { Row } from '../../test/catalogue/catalogue.ts'
import { camel, type Family } from './family.ts'
import { manifest } from './family-files.ts'

type Json = Record<string, unknown>
/** The parts of package-lock.json that list a workspace. */
interface Lockfile {
  packages: Record<string, Json & { dependencies?: Record<string, string> }>
}

const VERSION = '0.1.0'

/** Adds the import of the family, and lists it after the existing ones. */
export function withImport(source: string, { id }: Family): string {
  const line = `import ${camel(id)} from '@gateway/plugin-${id}'`
  const imports = [...source.matchAll(/^import \w+ from '@gateway\/plugin-[^']+'$/gm)].map(([found]) => found)
  const after = imports.findLast((found) => specifier(found) < specifier(line))
  const imported = after === undefined ? `${line}\n${source}` : source.replace(after, `${after}\n${line}`)
  const end = imported.lastIndexOf('\n]')
  return `${imported.slice(0, end)}\n  ${camel(id)},${imported.slice(end)}`
}

const specifier = (line: string): string => /'(.*)'/.exec(line)?.[1] ?? ''

/** Puts the family into the first area, from which its author moves it. */
export function withArea(source: string, { id }: Family): string {
  return source.replace('families: [', `families: ['${id}', `)
}

export function withDependency(manifestText: string, { id }: Family): string {
  const parsed = JSON.parse(manifestText) as Json & { dependencies: Record<string, string> }
  parsed.dependencies = sorted({ ...parsed.dependencies, [`@gateway/plugin-${id}`]: VERSION })
  return `${JSON.stringify(parsed, null, 2)}\n`
}

/** Returns the lockfile as `npm install` would leave it: the workspace, its link, and its dependents. */
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

/** Sorts in npm's order. */
function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => a.localeCompare(b, 'en')))
}

export function withRows(text: string, { id, tools }: Family): string {
  const rows = JSON.parse(text) as readonly Row[]
  const known = new Set(rows.map(({ name }) => name))
  const added = tools
    .filter(({ name }) => !known.has(name))
    .map(({ name, effect, description }): Row => ({ name, family: id, effect, description, args: [] }))
  return appended(text, added)
}

/** Adds a search question for a new family: the name of its first tool, which must be found too. */
export function withQuestion(text: string, { tools }: Family): string {
  const questions = JSON.parse(text) as readonly { question: string; expected: readonly string[] }[]
  const [first] = tools
  if (first === undefined || questions.some(({ expected }) => tools.some(({ name }) => expected.includes(name)))) return text
  const added = { question: first.name.replaceAll('_', ' '), expected: [first.name] }
  return appended(text, [added])
}

/** Appends items to the text of a JSON array; existing text is unchanged. */
function appended(text: string, items: readonly object[]): string {
  const lines = items.map((item) => `,\n  ${JSON.stringify(item)}`)
  return `${text.slice(0, text.lastIndexOf('\n]'))}${lines.join('')}\n]\n`
}
