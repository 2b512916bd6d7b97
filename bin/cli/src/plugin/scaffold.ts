import { VERSION } from '@gateway/kernel/version'
import { SDK_VERSION } from '@gateway/sdk'
import { scaffoldSources } from './scaffold-sources.ts'

/** Folder of the gateway's packages that npm does not have. */
export const VENDOR = 'vendor'

/**
 * Returns a new plugin as files by path: a package that compiles, passes its tests, and does a little of everything.
 * @param packed tarballs in its vendor folder by package; npm has all others
 */
export function scaffold(id: string, packed: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`
  return new Map([
    ['package.json', json(manifest(id, packed))],
    ['tsconfig.json', json(compiler)],
    ['.gitignore', 'node_modules/\ndist/\n'],
    ['README.md', readme(id, packed.size > 0)],
    ...scaffoldSources({ id, tool: id.replaceAll('-', '_'), sdk: `^${SDK_VERSION}` }),
  ])
}

const SDK = '@gateway/sdk'
/** Overrides of the gateway's repository: later versions need a later Node, and npm takes overrides from the package that installs alone. */
const OVERRIDES = { 'light-my-request': '~6.6.0' }

function manifest(id: string, packed: ReadonlyMap<string, string>): object {
  const vendored = Object.fromEntries([...packed].map(([name, file]) => [name, `file:${VENDOR}/${file}`]))
  const { [SDK]: sdk = `^${SDK_VERSION}`, ...others } = vendored
  const forTests = packed.size > 0 ? others : { '@gateway/testing': `^${VERSION}` }
  return {
    name: id,
    version: '0.1.0',
    description: 'A plugin of the gateway: keeps notes.',
    license: 'MIT',
    type: 'module',
    engines: { node: '>=20.20' },
    exports: { '.': { types: './dist/src/index.d.ts', default: './dist/src/index.js' } },
    files: ['dist/src'],
    scripts: { build: 'tsc', prepack: 'tsc', test: 'tsc && node --test dist/test/plugin.test.js' },
    dependencies: { [SDK]: sdk },
    devDependencies: { ...forTests, '@types/node': '^20.19.0', typescript: '^7.0.2' },
    overrides: OVERRIDES,
  }
}

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

const VENDORED = `
The packages of the gateway lie in \`${VENDOR}\`, as they were when this was begun. Before it is published, package.json has to name
versions of them that npm has.
`

const readme = (id: string, isVendored: boolean): string => `# ${id}

A plugin of the gateway that keeps notes: two tools, a collection, a job, a setting, a command.

\`\`\`sh
npm install
npm test                           # compiles, and runs the tests against a real gateway on a temporary store
UPDATE_SNAPSHOTS=1 npm test        # after a change of a tool: rewrites test/__snapshots__, for you to read and commit
gateway plugin check               # checks the rules for plugins
\`\`\`
${isVendored ? VENDORED : ''}
To run it, name it in the \`gateway.config.json\` of a gateway, by path or, once it is installed there, by name:

\`\`\`json
{ "plugins": { "./${id}": { "keepDays": 7 } } }
\`\`\`
`
