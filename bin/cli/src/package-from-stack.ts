import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const SDK = '@gateway/sdk'
/** The parts of the kernel are written against the SDK too, but are never to blame while a plugin's code is on the stack. */
const isKernel = (name: string): boolean => /^@gateway\/(?!plugin-)/.test(name)

/** Returns the plugin's package whose code comes first in a stack: packages of a plugin depend on the SDK. */
export function packageFromStack(stack: string): string | undefined {
  for (const file of filesOf(stack)) {
    const found = packageOf(file)
    if (found !== undefined && !isKernel(found.name) && found.needsSdk) return found.name
  }
  return undefined
}

function filesOf(stack: string): string[] {
  const places = stack.matchAll(/(?:at |\()((?:file:\/\/)?\/[^\n()]+?):\d+:\d+\)?$/gm)
  return [...places].map(([, place = '']) => (place.startsWith('file:') ? fileURLToPath(place) : place))
}

interface Manifest {
  readonly name?: string
  readonly dependencies?: object
  readonly peerDependencies?: object
}

/** Finds the nearest package.json with a name. */
function packageOf(file: string): { readonly name: string; readonly needsSdk: boolean } | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const { name, dependencies, peerDependencies } = manifestIn(folder)
    if (name !== undefined) return { name, needsSdk: SDK in { ...dependencies, ...peerDependencies } }
  }
  return undefined
}

function manifestIn(folder: string): Manifest {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest
  } catch {
    return {}
  }
}
