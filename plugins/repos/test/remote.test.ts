import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { looksLikeRemote, namesIn, remoteKey, withoutCredentials } from '../src/rules/remote.ts'

test('all ways to reach one repo have one key: scheme, user, password, port, case of the host, slashes and .git make no difference', () => {
  for (const remote of [
    'https://git.example.org/acme/Api',
    'https://git.example.org/acme/Api.git',
    'https://git.example.org/acme/Api/',
    'https://git.example.org/acme/Api.git/',
    'https://GIT.Example.ORG/acme/Api.git',
    'https://ada@git.example.org/acme/Api.git',
    'https://ada:secret@git.example.org/acme/Api.git',
    'https://x-access-token:s3c%40ret@git.example.org:443/acme/Api',
    'http://git.example.org:80/acme/Api',
    'git://git.example.org/acme/Api.git',
    'ssh://git@git.example.org/acme/Api.git',
    'ssh://git@git.example.org:2222/acme/Api.git',
    'git+ssh://git@git.example.org/acme/Api.git',
    'git@git.example.org:acme/Api.git',
    'git@git.example.org:/acme/Api.git',
    'git.example.org:acme/Api',
    '[git@git.example.org:2222]:acme/Api.git'.replace('git@', ''),
    '  git@git.example.org:acme//Api.git\n'.trim(),
  ])
    assert.equal(remoteKey(remote), 'git.example.org/acme/Api', remote)
})

test('the path keeps its case, but on hosts that ignore it; the second names of ssh hosts are the first', () => {
  assert.notEqual(remoteKey('https://git.example.org/acme/api'), remoteKey('https://git.example.org/Acme/Api'))
  assert.equal(remoteKey('git@github.com:Acme/Api.git'), 'github.com/acme/api')
  assert.equal(remoteKey('ssh://git@ssh.github.com:443/Acme/Api.git'), 'github.com/acme/api')
})

test('another path, host or port of http is another repo', () => {
  const keys = ['https://a.org/x/y', 'https://a.org/x/z', 'https://b.org/x/y', 'http://a.org:3000/x/y', 'http://a.org:4000/x/y', '/x/y']
  assert.equal(new Set(keys.map(remoteKey)).size, keys.length)
})

test('a folder is a remote under its path, as a file URL too', () => {
  for (const remote of [
    '/srv/git/web',
    '/srv/git/web.git',
    '/srv/git/web/',
    '/srv/git/web/.git',
    'file:///srv/git/web.git',
    'file://localhost/srv/git/web',
  ])
    assert.equal(remoteKey(remote), 'file:/srv/git/web', remote)
  assert.equal(remoteKey('C:\\git\\web.git'), 'file:/C:/git/web')
})

test('what is no address has no key: options, transport helpers, other schemes, lines, a host alone', () => {
  for (const text of [
    '',
    '-u',
    'ext::sh -c x',
    'ext::x',
    'web',
    './web',
    '../web.git',
    'javascript://x/y',
    'a\nb:c',
    'https://',
    'https://h',
    'git@h:',
    'x'.repeat(3_000),
  ])
    assert.equal(remoteKey(text), undefined, text)
})

test('a name is never taken for a remote, and a remote never for a name', () => {
  for (const name of ['web', 'my repo', 'a.b', 'a@b', 'x:y', 'Größe', '/abs/folder', 'C:\\abs'])
    assert.equal(looksLikeRemote(name), false, name)
  for (const remote of ['https://a.org/x/y', 'git@a.org:x/y.git', 'git@a.org:y', 'a.org:x/y', 'file:///x', 'ssh://a/x'])
    assert.equal(looksLikeRemote(remote), true, remote)
})

test('what is kept of a remote has no password, and of an http address no user', () => {
  assert.equal(withoutCredentials('https://ada:secret@a.org/x/y.git'), 'https://a.org/x/y.git')
  assert.equal(withoutCredentials('https://token@a.org/x/y.git'), 'https://a.org/x/y.git')
  assert.equal(withoutCredentials('https://ada:p@ss@a.org/x/y.git'), 'https://a.org/x/y.git')
  assert.equal(withoutCredentials('ssh://git:secret@a.org/x'), 'ssh://git@a.org/x')
  assert.equal(withoutCredentials('git@a.org:x/y.git'), 'git@a.org:x/y.git')
})

test('no text makes it throw, and a key is the key of itself over https', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void [remoteKey(text), looksLikeRemote(text), withoutCredentials(text)]))
  const part = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}$/)
  fc.assert(
    fc.property(part, part, part, (host, owner, name) => {
      const key = remoteKey(`git@${host}.org:${owner}/${name}.git`) ?? ''
      assert.equal(remoteKey(`https://${key}`), key)
      assert.deepEqual(namesIn(key), { owner, name })
    }),
  )
})
