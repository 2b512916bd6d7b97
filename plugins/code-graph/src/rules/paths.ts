/** Paths below a repo: relative, with `/`, the repo itself being ''. */
import { withoutPlatform } from './platforms.ts'

export function parentOf(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '' : path.slice(0, at)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Returns the last part of a path as importers may write it: without its ending and its platform. */
export function stemOf(name: string): string {
  return withoutPlatform(name).replace(/(?:\.d)?\.(?:[cm]?[jt]sx?|pyi?|vue|svelte|astro|mdx)$/, '')
}

/** Returns `undefined` when the path leads out of the repo. */
export function join(base: string, path: string): string | undefined {
  const parts = base === '' ? [] : base.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Yields the folder itself and all above it, the repo last. */
export function* upwards(folder: string): Generator<string> {
  for (let at = folder; ; at = parentOf(at)) {
    yield at
    if (at === '') return
  }
}
