import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Files, nodes, start } from './support.ts'

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
  {
    name: 'Python: the standard library is no file of the repo, beside a script, in a package or at the root',
    from: 'pkg/main.py',
    files: {
      'pkg/__init__.py': '',
      'pkg/main.py':
        'from __future__ import annotations\nimport json\nimport types, queue as q\nfrom logging import handlers\nfrom types import SimpleNamespace\nimport json.decoder\nimport helper',
      'pkg/json.py': '',
      'pkg/types.py': '',
      'pkg/helper.py': '',
      'json.py': '',
      'queue.py': '',
      'logging/handlers.py': '',
      'types/SimpleNamespace.py': '',
      'src/json/decoder.py': '',
    },
    // In a package an absolute import does not search the file's own folder.
    leads: ['helper'],
  },
  {
    name: 'Python: a script beside modules that are called as library modules',
    from: 'tools/main.py',
    files: {
      'tools/main.py': 'import json, token\nfrom select import poll\nimport helper',
      'tools/json.py': '',
      'tools/token.py': '',
      'tools/select.py': '',
      'tools/helper.py': '',
    },
    leads: ['tools/helper.py'],
  },
  {
    name: 'Python: a relative import of a module that is called as one of the library',
    from: 'pkg/main.py',
    files: {
      'pkg/__init__.py': '',
      'pkg/main.py': 'from . import json\nfrom .types import x\nfrom .queue import *',
      'pkg/json.py': '',
      'pkg/types.py': '',
      'pkg/queue.py': '',
    },
    leads: ['pkg/json.py', 'pkg/queue.py', 'pkg/types.py'],
  },
  {
    name: 'Python: a package of the repo below a name whose library module has no modules, and tests that are called test',
    from: 'a.py',
    files: { 'a.py': 'import cmd.serve\nfrom test.helpers import x', 'cmd/serve.py': '', 'test/__init__.py': '', 'test/helpers.py': '' },
    leads: ['cmd/serve.py', 'test/helpers.py'],
  },
  {
    name: 'Python: namespace packages, and the folder of a conftest',
    from: 'tests/unit/test_a.py',
    files: {
      'tests/conftest.py': '',
      'tests/helpers.py': '',
      'tests/unit/test_a.py': 'import helpers\nfrom ns.part import mod\nimport ns.part.other',
      'src/ns/part/mod.py': '',
      'libs/two/pyproject.toml': '',
      'libs/two/src/ns/part/other.py': '',
    },
    leads: ['libs/two/src/ns/part/other.py', 'src/ns/part/mod.py', 'tests/helpers.py'],
  },
  {
    name: 'Python: line ends of Windows, a byte order mark and both sides of a conflict',
    from: 'a.py',
    files: {
      'a.py': '\uFEFFimport b\r\n<<<<<<< HEAD\r\nfrom c import (x,\r\n  y)\r\n=======\r\nimport d\r\n>>>>>>> other\r\n',
      'b.py': '',
      'c.py': '',
      'd.py': '',
    },
    leads: ['b.py', 'c.py', 'd.py'],
  },
  {
    name: 'modules of Node are no files of the repo, though baseUrl or a pattern would find them',
    files: {
      'tsconfig.json': '{"compilerOptions": {"baseUrl": ".", "paths": {"*": ["./lib/*"], "util": ["./lib/util.ts"]}}}',
      'a.ts': "import 'events'; import 'fs/promises'; import 'node:path'; import 'util'; import './url'; import 'punycode/'",
      'events.ts': '',
      'fs/promises.ts': '',
      'path.ts': '',
      'lib/events.ts': '',
      'lib/util.ts': '',
      'url.ts': '',
    },
    // A name that is mapped itself takes the mapping.
    leads: ['lib/util.ts', 'punycode', 'url.ts'],
  },
  {
    name: 'every target of conditional imports and exports, in all branches and arrays',
    from: 'p/a.js',
    files: {
      'p/package.json': JSON.stringify({
        name: 'p',
        imports: {
          '#universal/*': { browser: './src/universal/*.browser.js', default: './src/universal/*.js' },
          '#deep': { node: { import: './src/node.mjs', require: ['./src/none.cjs', './src/node.cjs'] }, default: null },
        },
      }),
      'p/a.js': "import '#universal/env'; import '#deep'; import 'q/sub'; import 'q'",
      'p/src/universal/env.js': '',
      'p/src/universal/env.browser.js': '',
      'p/src/node.mjs': '',
      'p/src/node.cjs': '',
      'q/package.json': JSON.stringify({
        name: 'q',
        exports: {
          '.': { types: './index.d.ts', browser: './browser.js', default: './index.js' },
          './sub': ['./sub/one.js', { default: './sub/two.js' }],
        },
      }),
      'q/index.d.ts': '',
      'q/index.js': '',
      'q/browser.js': '',
      'q/sub/one.js': '',
      'q/sub/two.js': '',
    },
    leads: [
      'p/src/node.cjs',
      'p/src/node.mjs',
      'p/src/universal/env.browser.js',
      'p/src/universal/env.js',
      'q/browser.js',
      'q/index.d.ts',
      'q/index.js',
      'q/sub/one.js',
      'q/sub/two.js',
    ],
  },
  {
    name: 'the files of each platform, with and without a common one, and the index of a folder',
    files: {
      'a.tsx': "import './button'; import './menu'; import './list'; import './plain'; import './sized.js'",
      'button.tsx': '',
      'button.native.tsx': '',
      'button.web.ts': '',
      'menu.ios.tsx': '',
      'menu.android.tsx': '',
      'list/index.tsx': '',
      'list/index.native.tsx': '',
      'plain.ts': '',
      'plain.test.ts': '',
      'plain.nativelike.ts': '',
      'sized.ts': '',
      'sized.browser.ts': '',
    },
    leads: [
      'button.native.tsx',
      'button.tsx',
      'button.web.ts',
      'list/index.native.tsx',
      'list/index.tsx',
      'menu.android.tsx',
      'menu.ios.tsx',
      'plain.ts',
      'sized.browser.ts',
      'sized.ts',
    ],
  },
  {
    name: 'a script and the declaration file beside it: types come from the one, code from the other',
    files: {
      'a.ts': "import './b'; import './c.js'; import 'lib'; import './m.mjs'",
      'b.js': '',
      'b.d.ts': '',
      'c.js': '',
      'c.d.ts': '',
      'm.mjs': '',
      'm.d.mts': '',
      'lib/package.json': '{"name": "lib", "types": "./types.d.ts", "main": "./main"}',
      'lib/types.d.ts': '',
      'lib/main.js': '',
    },
    leads: ['b.d.ts', 'b.js', 'c.d.ts', 'c.js', 'lib/main.js', 'lib/types.d.ts', 'm.d.mts', 'm.mjs'],
  },
  {
    name: 'the replacements that a manifest has for browsers and native apps, of files and of packages',
    from: 'p/a.js',
    files: {
      'p/package.json': JSON.stringify({
        name: 'p',
        main: 'main.js',
        browser: { './node.js': './browser.js', crypto: './crypto-browser.js', './gone.js': false },
        'react-native': { './node.js': './native.js' },
      }),
      'p/a.js': "require('./node'); require('crypto'); require('./gone')",
      'p/node.js': '',
      'p/browser.js': '',
      'p/native.js': '',
      'p/crypto-browser.js': '',
      'p/gone.js': '',
    },
    leads: ['p/browser.js', 'p/crypto-browser.js', 'p/gone.js', 'p/native.js', 'p/node.js'],
  },
  {
    name: 'of several targets of a tsconfig path the first that exists, since TypeScript takes no other',
    files: {
      'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./none/*", "./one/*", "./two/*"]}}}',
      'a.ts': "import '@/x'",
      'one/x.ts': '',
      'two/x.ts': '',
    },
    leads: ['one/x.ts'],
  },
  {
    name: 'members of workspaces by their names, and no package that a pattern leaves out',
    files: {
      'package.json': '\uFEFF{"workspaces": ["packages/*", "!packages/legacy", "apps/{web,api}"]}',
      'a.ts': "import 'one'; import 'legacy'; import 'react'; import 'web'; import 'docs'",
      'packages/one/package.json': '{\r\n  // kept by a tool\r\n  "name": "one",\r\n}\r\n',
      'packages/one/index.js': '',
      'packages/legacy/package.json': '{"name": "legacy"}',
      'packages/legacy/index.js': '',
      'packages/one/test/fixtures/react/package.json': '{"name": "react"}',
      'packages/one/test/fixtures/react/index.js': '',
      'apps/web/package.json': '{"name": "web"}',
      'apps/web/index.ts': '',
      'apps/docs/package.json': '{"name": "docs"}',
      'apps/docs/index.ts': '',
    },
    leads: ['apps/web/index.ts', 'docs', 'legacy', 'packages/one/index.js', 'react'],
  },
  {
    name: 'workspaces of pnpm, and those that are nearest to the importer',
    from: 'examples/mono/app/a.ts',
    files: {
      'pnpm-workspace.yaml': 'packages:\n  - "packages/**" # all\n  - \'!**/test/**\'\ncatalog:\n  react: ^19\n',
      'packages/deep/lib/package.json': '{"name": "lib"}',
      'packages/deep/lib/index.ts': '',
      'packages/deep/test/other/package.json': '{"name": "other"}',
      'packages/deep/test/other/index.ts': '',
      'examples/mono/package.json': '{"workspaces": {"packages": ["./app", "./lib/"]}}',
      'examples/mono/lib/package.json': '{"name": "lib"}',
      'examples/mono/lib/index.ts': '',
      'examples/mono/app/package.json': '{"name": "app", "exports": {"./own": "./own.ts"}}',
      'examples/mono/app/own.ts': '',
      'examples/mono/app/a.ts': "import 'lib'; import 'app/own'; import 'other'",
    },
    leads: ['examples/mono/app/own.ts', 'examples/mono/lib/index.ts', 'other'],
  },
  {
    name: 'a package that the manifest names by its folder, though workspaces leave it out',
    from: 'app/a.ts',
    files: {
      'package.json': '{"workspaces": ["app"]}',
      'app/package.json': '{"name": "app", "dependencies": {"legacy": "file:../legacy", "gone": "link:../gone"}}',
      'app/a.ts': "import 'legacy/sub'; import 'gone'",
      'legacy/package.json': '{"name": "legacy"}',
      'legacy/sub.js': '',
    },
    leads: ['gone', 'legacy/sub.js'],
  },
  {
    name: 'a package without main by its index, one whose main is a folder, and folder exports as they were written before patterns',
    files: {
      'one/package.json': '{"name": "one"}',
      'one/index.js': '',
      'two/package.json': '{"name": "two", "main": "./lib"}',
      'two/lib/index.js': '',
      'three/package.json': '{"name": "three", "exports": {"./feature/": "./src/feature/", "./feature/x.js": "./src/x.js"}}',
      'three/src/feature/y.js': '',
      'three/src/x.js': '',
      'a.ts': "import 'one'; import 'two'; import 'three/feature/y.js'; import 'three/feature/x.js'",
    },
    leads: ['one/index.js', 'three/src/feature/y.js', 'three/src/x.js', 'two/lib/index.js'],
  },
  {
    name: 'paths of a configuration that a package of the repo or several files give, relative to where it is used',
    from: 'app/a.ts',
    files: {
      'config/package.json': '{"name": "@acme/tsconfig"}',
      'config/base.json': '{"compilerOptions": {"paths": {"@/*": ["${configDir}/src/*"]}}}',
      'app/tsconfig.json': '{"extends": ["./tsconfig.other.json", "@acme/tsconfig/base.json"]}',
      'app/tsconfig.other.json': '{"compilerOptions": {"strict": true}}',
      'app/a.ts': "import '@/b'",
      'app/src/b.ts': '',
    },
    leads: ['app/src/b.ts'],
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

test('a change of any file that an import may mean affects the importer, and calls and tests follow each', async () => {
  await using set = await start({
    'package.json': JSON.stringify({ imports: { '#env': { browser: './env.browser.ts', default: './env.ts' } } }),
    'env.ts': 'export function read() {}',
    'env.browser.ts': 'export function read() {}',
    'use.ts': "import { read } from '#env'\nexport function use() { read() }",
    'use.test.ts': "import { use } from './use'\nuse()",
  })
  for (const file of ['env.ts', 'env.browser.ts']) {
    const { affectedFiles, callers } = await set.call('get_pr_impact', { files: [file] })
    assert.deepEqual(
      affectedFiles.map((one: { file: string }) => one.file),
      ['use.ts', 'use.test.ts'],
      file,
    )
    assert.deepEqual(callers, [{ caller: 'use.ts#use', calls: `${file}#read` }], file)
  }
})
