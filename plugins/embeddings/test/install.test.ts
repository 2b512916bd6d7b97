import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findLibrary } from '../src/operations/find-library.ts'
import { repeatedLook } from '../src/rules/repeated-look.ts'

test('a library that is installed beside a running gateway is found without a restart, once its installation has ended', () => {
  const folder = mkdtempSync(join(tmpdir(), 'library-'))
  const put = (path: string): void => {
    const file = join(folder, 'runtime/node_modules', path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  let now = 0
  let looks = 0
  const library = repeatedLook(
    () => {
      looks++
      return findLibrary(folder)
    },
    () => now,
  )
  try {
    const before = library()
    put('@xenova/transformers/src/transformers.js')
    now += 60_000
    assert.equal(library(), undefined, 'it is installed in part')
    put('.package-lock.json')
    assert.equal(library(), undefined, 'it was looked for just now')
    assert.equal(looks, 2)
    now += 5_000
    assert.match(library() as string, /transformers\.js$/)
    for (let i = 0; i < 100; i++) library()
    assert.equal(looks, 3)
    assert.equal(before, undefined)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('while a library is missing, however many searches ask, it is looked for every five seconds at most', () => {
  let now = 0
  let looks = 0
  const library = repeatedLook(
    () => {
      looks++
      return undefined
    },
    () => now,
  )
  for (; now < 20_000; now += 100) library()
  assert.equal(looks, 4)
})
