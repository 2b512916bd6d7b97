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
          'Additional folders that contain `agents/`, `skills/`, `hooks/` and `rules/`: Markdown files with front matter, in subfolders too; skills may also be `NAME/SKILL.md`. A folder without these subfolders is read as a collection of agents and skills. A definition replaces the bundled one of the same name. Paths are relative to the current folder.',
      }),
      maxTurns: Type.Integer({
        default: 20,
        minimum: 1,
        maximum: 200,
        description: 'Model calls per invocation of an agent or a skill: one more than the number of times it can call tools.',
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
