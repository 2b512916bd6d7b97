import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { satisfies } from 'semver'
import { root } from '../../scripts/workspaces.mjs'

interface Locked {
  readonly version?: string
  readonly engines?: { readonly node?: string }
}

test('every package of the lockfile runs on the oldest Node that the gateway supports, so that npm ci prints no warning', () => {
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { engines: { node: string } }
  const oldest = `${engines.node.replace(/^>=/, '')}.0`
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  const refused = Object.entries(packages).flatMap(([name, { version, engines }]) =>
    engines?.node !== undefined && !satisfies(oldest, engines.node) ? [`${name} ${version} needs Node ${engines.node}`] : [],
  )
  assert.deepEqual(refused, [])
})
