import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PER_FOLDER = 40
const FUNCTIONS = 12
/** Interval of test files; each tests the file before it. */
const TEST_EVERY = 5

export const fileOf = (n: number): string =>
  `src/area-${Math.floor(n / PER_FOLDER / 10)}/part-${Math.floor(n / PER_FOLDER)}/file-${n}${n % TEST_EVERY === 4 ? '.test' : ''}.ts`

/** Writes a repo of files some 80 lines long, each of which imports and calls five others: two near it, two anywhere, one over a barrel. */
export function seedRepo(folder: string, files: number): void {
  mkdirSync(join(folder, '.git'), { recursive: true })
  write(folder, 'tsconfig.json', '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }')
  write(folder, 'src/all.ts', Array.from({ length: 50 }, (_, n) => `export * from './${fileOf(n * TEST_EVERY).slice(4, -3)}'`).join('\n'))
  for (let n = 0; n < files; n++) write(folder, fileOf(n), contentOf(n, files))
}

export function contentOf(n: number, files: number): string {
  const others = [n - 1, n - 7, (n * 7_919) % files, (n * 104_729) % files].map((at) => Math.abs(at - (at % TEST_EVERY)))
  const imports = [...new Set(others)].map((at) => `import { run${at} } from '@/${fileOf(at).slice(4, -3)}'`)
  const calls = [...new Set(others)].map((at) => `run${at}`)
  const shared = ((n * 31) % 50) * TEST_EVERY
  return [
    ...imports,
    `import { Kept${shared} } from '@/all'`,
    `/** What import './nothing' and run0() in a comment say is no edge. */`,
    `export function run${n}(value: number): string {`,
    ...calls.map((name) => `  if (value > ${n}) return ${name}(value - 1)`),
    `  return new Kept${shared}(String(value)).text`,
    '}',
    `export class Kept${n} {`,
    `  constructor(readonly text: string) {}`,
    ...Array.from(
      { length: FUNCTIONS },
      (_, at) => `  step${at}(value: number): string {\n    return this.step${(at + 1) % FUNCTIONS}(value)\n  }`,
    ),
    '}',
    ...Array.from(
      { length: FUNCTIONS },
      (_, at) => `function own${at}(): string {\n  return \`a text with \${own${(at + 1) % FUNCTIONS}()}\`\n}`,
    ),
    '',
  ].join('\n')
}

function write(folder: string, path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}
