import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, nodes, start } from './support.ts'

/** Files, and where one of them is to lead. */
const cases: readonly { name: string; from?: string; files: Files; leads: readonly string[] }[] = [
  { name: 'a relative path, with the ending added', files: { 'a.ts': "import './b'", 'b.tsx': '' }, leads: ['b.tsx'] },
  {
    name: 'the index of a folder',
    files: { 'a.ts': "import './lib'; import '.'", 'lib/index.ts': '', 'index.js': '' },
    leads: ['index.js', 'lib/index.ts'],
  },
  {
    name: 'a folder that is written as one, though a file beside it has its name',
    from: 'b/a.ts',
    files: { 'b/a.ts': "import '.'; import '../b/'", 'b/index.ts': '', 'b.ts': '' },
    leads: ['b/index.ts'],
  },
  {
    name: 'the source of a compiled ending',
    files: { 'a.ts': "import './b.js'; import './c.mjs'; import './d.jsx'", 'b.ts': '', 'c.mts': '', 'd.tsx': '' },
    leads: ['b.ts', 'c.mts', 'd.tsx'],
  },
  { name: 'the file itself before its source', files: { 'a.js': "require('./b.js')", 'b.js': '', 'b.ts': '' }, leads: ['b.js'] },
  {
    name: 'paths of tsconfig, over extends, the longest pattern first',
    files: {
      'tsconfig.json': '{"extends": "./tsconfig-base"}',
      'tsconfig-base.json':
        '{ "compilerOptions": {"baseUrl": ".", "paths": {"@/*": ["src/*"], "@/x/*": ["x/*"], "one": ["src/one.ts"]}}, }',
      'a.ts': "import '@/b'; import '@/x/c'; import 'one'; import 'src/d'",
      'src/b.ts': '',
      'x/c.ts': '',
      'src/one.ts': '',
      'src/d.ts': '',
    },
    leads: ['src/b.ts', 'src/d.ts', 'src/one.ts', 'x/c.ts'],
  },
  {
    name: 'paths of a configuration that the nearest one refers to',
    files: {
      'tsconfig.json': '{"files": [], "references": [{"path": "./tsconfig.app.json"}]}',
      'tsconfig.app.json': '{"compilerOptions": {"paths": {"~/*": ["./src/*"]}}}',
      'a.ts': "import '~/b'",
      'src/b.ts': '',
    },
    leads: ['src/b.ts'],
  },
  {
    name: 'a package of the repo, over exports, to its source',
    files: {
      'packages/ui/package.json':
        '{"name": "@x/ui", "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}, "./*": "./dist/*.js"}}',
      'packages/ui/src/index.ts': '',
      'packages/ui/src/button.ts': '',
      'a.ts': "import '@x/ui'; import '@x/ui/button'",
    },
    leads: ['packages/ui/src/button.ts', 'packages/ui/src/index.ts'],
  },
  {
    name: 'a package of the repo by its main, and a name of its own',
    files: {
      'lib/package.json': '{"name": "lib", "main": "./out/main.js", "imports": {"#h": "./src/h.ts"}}',
      'lib/src/main.ts': "import '#h'",
      'lib/src/h.ts': '',
      'a.ts': "import 'lib'",
    },
    leads: ['lib/src/main.ts'],
  },
  {
    name: 'a package from elsewhere, by its name',
    files: { 'a.ts': "import 'react'; import '@a/b/c'; import 'node:fs'; import 'fs'; import './s.css'" },
    leads: ['@a/b', 'react'],
  },
  {
    name: 'Python: relative, and absolute from the root and from src',
    from: 'pkg/a.py',
    files: {
      'pkg/__init__.py': '',
      'pkg/a.py': 'from . import b\nfrom .c import d\nimport pkg.e\nfrom other import f',
      'pkg/b.py': '',
      'pkg/c.py': '',
      'pkg/e/__init__.py': '',
      'src/other.py': '',
    },
    leads: ['pkg/b.py', 'pkg/c.py', 'pkg/e/__init__.py', 'src/other.py'],
  },
  {
    name: 'Python: all of a package, and one of its modules',
    from: 'a.py',
    files: { 'a.py': 'from pkg import b\nfrom pkg import *', 'pkg/__init__.py': '', 'pkg/b.py': '' },
    leads: ['pkg/__init__.py', 'pkg/b.py'],
  },
  {
    name: 'Python: a script beside it, and a package from elsewhere',
    from: 'tools/a.py',
    files: { 'tools/a.py': 'import helper, numpy.linalg as la', 'tools/helper.py': '' },
    leads: ['numpy', 'tools/helper.py'],
  },
]

test('an import leads to', async (t) => {
  await using set = await start()
  for (const { name, from, files, leads } of cases) {
    await t.test(name, async () => {
      const folder = name.replace(/\W+/g, '-')
      await set.write(Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])))
      set.git('init', '-q', folder)
      const first = from ?? Object.keys(files).find((path) => path.startsWith('a.')) ?? ''
      const answer = await set.call('get_neighbors', { repo: `${set.root}/${folder}`, node: first, edgeTypes: ['import'] })
      assert.deepEqual(nodes(answer, 'import'), leads)
    })
  }
})
