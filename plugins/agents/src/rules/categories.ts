import { CATEGORIES, type Category } from '../schema.ts'

const DEFAULT_CATEGORY: Category = 'dev'
/** Words that collections use, in front matter and in names of folders. */
const WORDS: Readonly<Partial<Record<Category, readonly string[]>>> = {
  core: ['general', 'essentials', 'universal'],
  swarm: ['orchestration', 'orchestrators', 'coordination', 'meta', 'workflow', 'workflows', 'multi'],
  dev: [
    'development',
    'developer',
    'engineering',
    'backend',
    'frontend',
    'language',
    'languages',
    'programming',
    'code',
    'coding',
    'mobile',
    'web',
    'testing',
  ],
  analysis: ['research', 'analytics', 'review', 'reviews'],
  neural: ['ai', 'ml', 'llm', 'learning'],
  ops: ['operations', 'devops', 'infrastructure', 'cloud', 'security', 'quality', 'platform', 'sre'],
  data: ['database', 'databases'],
  content: ['business', 'product', 'marketing', 'documentation', 'docs', 'writing', 'design', 'sales', 'creative'],
  code_hosting: ['github', 'gitlab', 'git'],
}
const CATEGORY_OF = new Map(CATEGORIES.flatMap((category) => (WORDS[category] ?? []).map((word) => [word, category] as const)))

/**
 * Returns the category that a word or a name such as `05-data-ai` means: an exact category name wins, then the last known word.
 */
export function categoryNamed(name: string): Category | undefined {
  const words = name.toLowerCase().split(/[^a-z]+/)
  const own = CATEGORIES.find((category) => category === words.join('_') || words.includes(category))
  return own ?? words.map((word) => CATEGORY_OF.get(word)).findLast((category) => category !== undefined)
}

/** Returns the category of the innermost folder that names one. Folders are given from the outermost on. */
export function categoryOfFolders(folders: readonly string[]): Category {
  return folders.map(categoryNamed).findLast((category) => category !== undefined) ?? DEFAULT_CATEGORY
}
