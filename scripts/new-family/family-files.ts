import { camel, type Family, kebab } from './family.ts'
import { named } from './record.ts'
import { toolFile } from './tool-file.ts'
import { toolTest } from './tool-test.ts'

/** Returns all files below plugins/<id> except the snapshots, by path. */
export function familyFiles(family: Family): ReadonlyMap<string, string> {
  const files: readonly (readonly [path: string, text: string])[] = [
    ['package.json', `${JSON.stringify(manifest(family), null, 2)}\n`],
    ['README.md', readme(family)],
    ['src/index.ts', index(family)],
    ['src/schema.ts', SCHEMA],
    ['src/collections.ts', collections(family)],
    ...family.tools.map((tool) => [`src/tools/${kebab(tool.name)}.ts`, toolFile(family, tool)] as const),
    ...(shown(family) ? [[`src/pages/${family.id}.ts`, page(family)] as const] : []),
    ['test/plugin.test.ts', PLUGIN_TEST],
    ['test/support.ts', SUPPORT],
    ...family.tools.map((tool) => [`test/${kebab(tool.name)}.test.ts`, toolTest(family, tool)] as const),
  ]
  return new Map(files.map(([path, text]) => [path, /^src\/|^test\//.test(path) ? named(text, family.record) : text]))
}

/** Placeholder sentence about the family, which its author replaces. */
const sentence = ({ id }: Family): string => `The family ${id}: say here in one sentence what it is for.`

export const manifest = (family: Family) => ({
  name: `@gateway/plugin-${family.id}`,
  version: '0.1.0',
  description: sentence(family),
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20.20' },
  exports: { '.': { '@gateway/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' } },
  files: ['dist'],
  dependencies: { '@gateway/sdk': family.sdk.version },
})

/** Returns the tool that its page shows: the first that only reads. */
const shown = ({ tools }: Family) => tools.find(({ effect }) => effect === 'read')

const page = (family: Family): string => {
  const { name } = shown(family) as Family['tools'][number]
  return `import { definePage, Panel } from '@gateway/sdk'
import { ${camel(name)} } from '../tools/${kebab(name)}.ts'

export const page = definePage({
  path: '/${family.id}',
  title: '${family.id.charAt(0).toUpperCase()}${family.id.slice(1).replaceAll('-', ' ')}',
  icon: 'boxes',
  group: 'work',
  panels: [
    Panel.table({
      id: 'records',
      title: 'Records',
      from: ${camel(name)},
      paging: { cursor: 'cursor', next: '/nextCursor' },
      rows: '/records',
      key: '/recordId',
      columns: { Text: '/text', Created: { value: '/createdAt', format: 'time' } },
      empty: 'Say here what it is when there is nothing, and what to do first.',
    }),
  ],
})
`
}

const readme = (family: Family): string => `# ${family.id}

${sentence(family)}

${family.tools.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n')}

Say here what was chosen where there was a choice, what is bounded and by what, and list the settings with their defaults.
`

const index = (family: Family): string => `import { definePlugin } from '@gateway/sdk'
import { records } from './collections.ts'
${shown(family) ? `import { page } from './pages/${family.id}.ts'\n` : ''}${family.tools.map(({ name }) => `import { ${camel(name)} } from './tools/${kebab(name)}.ts'\n`).join('')}
/**
 * The family ${family.id}. A record’s life:
 *
 * 1. created by a tool: say here which, and what else happens to it.
 */
export default definePlugin({
  id: '${family.id}',
  sdk: '${family.sdk.range}',
  description: ${JSON.stringify(sentence(family))},
  collections: [records],
  tools: [${family.tools.map(({ name }) => camel(name)).join(', ')}],${shown(family) ? '\n  pages: [page],' : ''}
})
`

const SCHEMA = `import { closed, Type } from '@gateway/sdk'

export const recordId = Type.String({ minLength: 1, maxLength: 200 })
export const text = Type.String({ minLength: 1, maxLength: 10_000 })

/** What is kept: name it, and its fields, after what it is. */
export const recordSchema = Type.Object({ recordId, text, createdAt: Type.String() }, closed)
`

const collections = ({ id }: Family): string => `import { defineCollection } from '@gateway/sdk'
import { recordSchema } from './schema.ts'

/** Each tenant has its own; what is filtered or sorted often has an index. */
export const records = defineCollection('${id}', { schema: recordSchema, key: 'recordId', indexes: [{ keys: { createdAt: -1 } }] })
`

const PLUGIN_TEST = `import { pluginSuite } from '@gateway/testing'
import plugin from '../src/index.ts'

pluginSuite(plugin, { folder: import.meta.dirname })
`

const SUPPORT = `import { startTestGateway, type TestGateway } from '@gateway/testing'
import plugin from '../src/index.ts'

export type { TestGateway }

export const start = (): Promise<TestGateway> => startTestGateway({ plugins: [plugin] })
`
