import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { openSecretHasher } from '../../src/secrets/secrets.ts'

describe('the hash key', () => {
  let dataDir: string
  let path: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'gateway-secrets-'))
    path = join(dataDir, 'keys', 'hash.key')
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))
  const mode = (of: string): number => statSync(of).mode & 0o777

  it('is made at the first start, in a file and a folder that only their owner reads', () => {
    const umask = process.umask(0)
    try {
      openSecretHasher({ dataDir })
    } finally {
      process.umask(umask)
    }
    assert.deepEqual([mode(join(dataDir, 'keys')), mode(path)], [0o700, 0o600])
    assert.deepEqual(readdirSync(join(dataDir, 'keys')), ['hash.key'])
    assert.match(readFileSync(path, 'utf8'), /^[0-9a-f]{64}$/)
  })

  it('is kept over restarts, so that what was hashed before still matches', () => {
    const stored = openSecretHasher({ dataDir }).hash('a secret')
    const key = readFileSync(path, 'utf8')
    const again = openSecretHasher({ dataDir })
    assert.ok(again.matches('a secret', stored))
    assert.equal(readFileSync(path, 'utf8'), key)
  })

  it('is another in every data folder, so that hashes of one mean nothing in another', () => {
    const other = mkdtempSync(join(tmpdir(), 'gateway-secrets-'))
    try {
      const [here, there] = [openSecretHasher({ dataDir }), openSecretHasher({ dataDir: other })]
      assert.notEqual(here.hash('a secret'), there.hash('a secret'))
      assert.ok(!there.matches('a secret', here.hash('a secret')))
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  it('that others may read after a copy is closed to them again, its folder too', () => {
    openSecretHasher({ dataDir })
    chmodSync(path, 0o644)
    chmodSync(join(dataDir, 'keys'), 0o755)
    openSecretHasher({ dataDir })
    assert.deepEqual([mode(join(dataDir, 'keys')), mode(path)], [0o700, 0o600])
  })

  it('survives an editor’s line end', () => {
    const stored = openSecretHasher({ dataDir }).hash('a secret')
    writeFileSync(path, `${readFileSync(path, 'utf8')}\n`)
    assert.ok(openSecretHasher({ dataDir }).matches('a secret', stored))
  })

  for (const [what, content] of [
    ['an empty file', ''],
    ['half a key', 'ab'.repeat(16)],
    ['a key and more', `${'ab'.repeat(32)}cd`],
    ['a key and something else', `${'ab'.repeat(32)} and a note`],
    ['something else', 'this is not a key'],
    ['a key with a letter that is no digit', `${'ab'.repeat(31)}xy`],
  ] as const) {
    it(`${what} in its place is refused with a sentence that says what to do, and left as it is`, () => {
      mkdirSync(join(dataDir, 'keys'))
      writeFileSync(path, content)
      assert.throws(
        () => openSecretHasher({ dataDir }),
        (error: Error) => {
          assert.equal(error.message, `${path} does not hold a hash key; restore it from a backup, or remove it and issue new keys.`)
          return true
        },
      )
      assert.equal(readFileSync(path, 'utf8'), content)
    })
  }
})

describe('hashes', () => {
  it('match their own secret alone, and do not hold it', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'gateway-secrets-'))
    try {
      const { hash, matches } = openSecretHasher({ dataDir })
      const stored = hash('a secret')
      assert.ok(matches('a secret', stored))
      for (const wrong of ['', 'a secre', 'a secret ', 'A secret', stored]) assert.ok(!matches(wrong, stored), wrong)
      for (const damaged of ['', stored.slice(1), `${stored}=`]) assert.ok(!matches('a secret', damaged), damaged)
      assert.ok(!stored.includes('secret'))
    } finally {
      rmSync(dataDir, { recursive: true })
    }
  })
})
