import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { minVersion, satisfies } from 'semver'

interface Locked {
  readonly version?: string
  readonly engines?: { readonly node?: string }
}

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

test('every locked package runs on the minimum version of Node, so npm ci prints no EBADENGINE warning', () => {
  const minimum = minVersion(read('package.json').engines.node)
  assert.ok(minimum)
  const packages = Object.entries(read('package-lock.json').packages as Record<string, Locked>)
  const tooNew = packages
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(minimum, engines.node))
    .map(([name, { version, engines }]) => `${name} ${version} needs Node ${engines?.node}`)
  assert.deepEqual(tooNew, [])
})
