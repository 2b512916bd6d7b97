import { SDK_VERSION } from '@gateway/sdk'
import { VERSION } from '../../version.ts'
import { scaffoldSources } from './scaffold-sources.ts'

/** A new plugin as files by path: a package that compiles, passes its tests, and does a little of everything. */
export function scaffold(id: string): ReadonlyMap<string, string> {
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['package.json', json(manifest(id))],
    ['tsconfig.json', json(compiler)],
    ['.gitignore', 'node_modules/\ndist/\n'],
    ['README.md', readme(id)],
    ...scaffoldSources({ id, tool: id.replaceAll('-', '_'), sdk: `^${SDK_VERSION}` }),
  ])
}

const manifest = (id: string): object => ({
  name: id,
  version: '0.1.0',
  description: 'A plugin of the gateway: keeps notes.',
  license: 'MIT',
  type: 'module',
  engines: { node: '>=20.20' },
  exports: { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' } },
  files: ['dist/src'],
  scripts: { build: 'tsc', test: 'tsc && node --test dist/test/plugin.test.js' },
  dependencies: { '@gateway/sdk': `^${SDK_VERSION}` },
  devDependencies: { '@gateway/kernel': `^${VERSION}`, '@types/node': '^20.19.0', typescript: '^7.0.2' },
})

const compiler: object = {
  compilerOptions: {
    target: 'es2023',
    lib: ['es2023'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    rewriteRelativeImportExtensions: true,
    declaration: true,
    skipLibCheck: true,
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['src', 'test'],
}

const readme = (id: string): string => `# ${id}

A plugin of the gateway that keeps notes: two tools, a collection, a job, a setting.

\`\`\`sh
npm install
npm test                           # compiles, and runs the tests against a real gateway on a temporary store
UPDATE_SNAPSHOTS=1 npm test        # after a change of a tool: writes test/__snapshots__ anew, for you to read and commit
gateway plugin check               # what every plugin must keep to
\`\`\`

To run it, name it in the \`gateway.config.json\` of a gateway, by path or, once it is installed there, by name:

\`\`\`json
{ "plugins": { "./${id}": { "keepDays": 7 } } }
\`\`\`
`
