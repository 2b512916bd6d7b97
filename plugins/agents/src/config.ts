import { join, resolve } from 'node:path'
import { closed, defineConfig, type Infer, Type } from '@gateway/sdk'

export const config = defineConfig(
  'agents',
  Type.Object(
    {
      dirs: Type.Array(Type.String({ minLength: 1, maxLength: 4_000 }), {
        default: [],
        maxItems: 20,
        description:
          'Further folders with `agents/`, `skills/`, `hooks/` and `rules/` in them: Markdown with front matter, also in folders below; skills as `NAME/SKILL.md` too. A folder without these is read as a collection of agents and skills. One of the same name replaces the bundled one. Relative to the current folder.',
      }),
      maxTurns: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 200,
        description: 'Model calls of one invocation of an agent or a skill; one more than it calls tools in a row.',
      }),
    },
    closed,
  ),
)

/** Folder bundled with the package, next to both its sources and its build. */
const bundledFolder = join(import.meta.dirname, '..', 'bundled')

/** Folders of definitions, those of higher precedence last. */
export const foldersOf = ({ dirs }: Infer<(typeof config)['schema']>) => [
  { path: bundledFolder, origin: 'bundled' as const },
  ...dirs.map((path) => ({ path: resolve(path), origin: 'folder' as const })),
]
