import { camel, type Family, type NewTool } from './family.ts'

/** Returns a working tool on the family's one collection, as a starting point. */
export function toolFile({ id }: Family, { name, effect, description, core }: NewTool): string {
  const head = `export const ${camel(name)} = defineTool({
  name: '${name}',
  description: ${JSON.stringify(description)},
  capability: '${effect === 'read' ? 'read' : 'work'}',
  effect: '${effect}',
${core ? "  listing: 'core',\n" : ''}`
  return bodies[effect](head, `${id}-`)
}

const bodies: Readonly<Record<NewTool['effect'], (head: string, prefix: string) => string>> = {
  read: (head) => `import { closed, defined, defineTool, nextCursor, pageArguments, rowLimit, Type } from '@gateway/sdk'
import { records } from '../collections.ts'
import { recordSchema } from '../schema.ts'

const ROWS = rowLimit(20, 100)

${head}  input: Type.Object(pageArguments(ROWS), closed),
  output: Type.Object({ records: Type.Array(recordSchema), nextCursor }, closed),
  uses: { records },
  async handle({ limit, cursor }, { records }) {
    const { items, nextCursor } = await records.find({ sort: { createdAt: -1 }, limit: ROWS.of(limit), ...defined({ cursor }) })
    return { records: [...items], ...defined({ nextCursor }) }
  },
})
`,
  write: (head, prefix) => `import { closed, defineTool, Type } from '@gateway/sdk'
import { records } from '../collections.ts'
import { recordSchema, text } from '../schema.ts'

${head}  input: Type.Object({ text }, closed),
  output: Type.Object({ record: recordSchema }, closed),
  uses: { records },
  async handle({ text }, { records }, ctx) {
    const record = await records.insert({ recordId: ctx.newId('${prefix}'), text, createdAt: ctx.now().toISOString() })
    return { record }
  },
})
`,
  destructive: (head) => `import { closed, defineTool, NotFound, Type } from '@gateway/sdk'
import { records } from '../collections.ts'
import { recordId, recordSchema } from '../schema.ts'

${head}  input: Type.Object({ recordId }, closed),
  output: Type.Object({ record: recordSchema }, closed),
  uses: { records },
  async handle({ recordId }, { records }) {
    const record = await records.deleteOne(recordId)
    if (!record) throw NotFound({ what: 'record', id: recordId })
    return { record }
  },
})
`,
}
