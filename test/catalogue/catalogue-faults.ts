import type { Plugin } from '@gateway/sdk'
import { rowOf } from '../../scripts/references/catalogue.ts'
import type { Row } from './catalogue.ts'

const FILE = 'test/catalogue/tools.json'
const EFFECTS = ['read', 'write', 'destructive']

/** Returns the faults of the rows themselves, one line each: the row, the field, the expected and the actual value. */
export function rowFaults(rows: readonly Row[]): string[] {
  const seen = new Set<string>()
  return rows.flatMap((row, at) => {
    const where = `${FILE}: row ${at} (${row.name})`
    const expect = (field: keyof Row, holds: boolean, expected: string): string[] =>
      holds ? [] : [`${where}: ${field} must be ${expected}; it is ${JSON.stringify(row[field])}`]
    const isFirst = !seen.has(row.name)
    seen.add(row.name)
    return [
      ...expect('name', /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(row.name), 'snake_case'),
      ...expect('name', isFirst, 'there once'),
      ...expect('family', /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(row.family), 'the id of a family'),
      ...expect('effect', EFFECTS.includes(row.effect), EFFECTS.join(' or ')),
      ...expect('description', /^\p{Lu}.{19,}\.$/u.test(row.description), 'a sentence'),
      ...expect('args', new Set(row.args).size === row.args.length, 'a list of names, each once'),
      ...expect('core', row.core === undefined || row.core, 'true, or left out'),
    ]
  })
}

/**
 * Returns differences between existing tools and the catalogue, one line each: the tool's file, the field, both values. `npm run
 * references` writes the rows as the tools are.
 */
export function toolFaults(plugins: readonly Plugin[], rows: readonly Row[]): string[] {
  const byName = new Map(rows.map((row) => [row.name, row]))
  return plugins.flatMap(({ id, tools }) =>
    tools.flatMap((tool) => {
      const { name, effect, description, listing } = tool
      const file = `plugins/${id}/src/tools/${name.replaceAll('_', '-')}.ts`
      const row = byName.get(name)
      // A tool only in the core list is a way of calling the others; one only in its family's list is no part of the catalogue.
      if (!row) return listing === 'core-only' || listing === 'family-only' ? [] : [`${file}: the tool ${name} has no row in ${FILE}`]
      const fields = {
        family: [id, row.family],
        effect: [effect, row.effect],
        listing: [listing, row.core ? 'core' : 'default'],
        description: [description, row.description],
        args: [rowOf(id, tool).args.join(', '), row.args.join(', ')],
      }
      return Object.entries(fields)
        .filter(([, [is, wanted]]) => is !== wanted)
        .map(([field, [is, wanted]]) => `${file}: ${field} is ${is}; the row of ${name} in ${FILE} says ${wanted}`)
    }),
  )
}
