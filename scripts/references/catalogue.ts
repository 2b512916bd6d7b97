import type { Plugin } from '@gateway/sdk'
import type { Row } from '../../test/catalogue/catalogue.ts'

/** Returns test/catalogue/tools.json with each row as its tool defines it. Rows of tools that do not exist yet stay as they are. */
export function catalogueText(rows: readonly Row[], plugins: readonly Plugin[]): string {
  const defined = new Map(plugins.flatMap(({ id, tools }) => tools.map((tool) => [tool.name, rowOf(id, tool)] as const)))
  return `[\n${rows.map((row) => written(defined.get(row.name) ?? row)).join(',\n')}\n]\n`
}

/** Returns the row of a tool: what search and the lists know of it. */
export function rowOf(family: string, { name, effect, description, input, listing }: Plugin['tools'][number]): Row {
  const args = Object.keys((input as { readonly properties?: object }).properties ?? {})
  return { name, family, effect, description, args, ...(listing === 'core' && { core: true as const }) }
}

const WIDTH = 140

/** A row as the formatter leaves it: a list of arguments has one line, or a line for each. */
function written({ args, ...row }: Row): string {
  const members = Object.entries({ ...row, args }).map(([name, value]) => {
    if (!Array.isArray(value)) return `"${name}": ${JSON.stringify(value)}`
    const line = `"${name}": [${value.map((one) => JSON.stringify(one)).join(', ')}]`
    return line.length + 4 + 1 <= WIDTH ? line : `"${name}": [\n${value.map((one) => `      ${JSON.stringify(one)}`).join(',\n')}\n    ]`
  })
  // The flag of the core list stands last.
  members.sort((a, b) => Number(a.startsWith('"core"')) - Number(b.startsWith('"core"')))
  return `  {\n${members.map((member) => `    ${member}`).join(',\n')}\n  }`
}
