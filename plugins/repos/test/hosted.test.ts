import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import webhooks from '@gateway/plugin-webhooks'
import type { HostedRepo } from '@gateway/plugin-webhooks/api'
import { codeHosting } from '@gateway/plugin-webhooks/api'
import { contribute, definePlugin } from '@gateway/sdk'
import { runGit, start as startPlain } from './support.ts'

const SECRET = 'inbound-secret-0123456789'

/** The repo of each event, the latest last. */
const told: HostedRepo[] = []
const family = definePlugin({
  id: 'family',
  sdk: '^1.0.0',
  description: 'Remembers the repos of events.',
  contributes: [
    contribute(codeHosting, {
      create: () => {
        const hear = async ({ repo }: { readonly repo: HostedRepo }) => {
          told.push(repo)
          return []
        }
        return { pushed: hear, pullRequest: hear, checked: hear, reviewed: hear }
      },
    }),
  ],
})

async function start() {
  const set = await startPlain({ CODE_HOSTING_WEBHOOK_SECRET: SECRET }, { plugins: [webhooks, family] })
  let deliveries = 0
  const send = async (event: string, body: object) => {
    const text = JSON.stringify({ ...body, n: ++deliveries })
    const signature = `sha256=${createHmac('sha256', SECRET).update(text).digest('hex')}`
    const headers = { 'x-webhook-signature-256': signature, 'x-webhook-event': event, 'x-webhook-delivery': `d-${deliveries}` }
    const answer = await set.gateway.inject({ method: 'POST', url: '/api/webhooks/inbound/code-hosting', headers, body: text })
    assert.equal(answer.status, 202, JSON.stringify(answer.json()))
    return answer.json().changed as string[]
  }
  const at = (fullName: string, host = 'git.example.org') => ({
    name: fullName.slice(fullName.lastIndexOf('/') + 1),
    full_name: fullName,
    clone_url: `https://${host}/${fullName}.git`,
    ssh_url: `git@${host}:${fullName}.git`,
    html_url: `https://${host}/${fullName}`,
  })
  const push = async (repository: object) => {
    const changed = await send('push', { ref: 'refs/heads/main', after: 'c0ffee', repository })
    return { name: told.at(-1)?.name, otherNames: told.at(-1)?.otherNames, changed }
  }
  return {
    ...set,
    send,
    at,
    push,
    upsert: (entry: object) => set.gateway.call('repos_upsert', entry),
    lastPushes: async () => {
      const { cards } = await set.gateway.call('repos_card_list')
      return cards.filter(({ lastPush }: { lastPush?: object }) => lastPush).map(({ repoName }: { repoName: string }) => repoName)
    },
    [Symbol.asyncDispose]: set[Symbol.asyncDispose],
  }
}

test('a push belongs to the repo with its remote, however that is written, and not to one whose name alone is the same', async () => {
  for (const gitRemote of [
    'git@git.example.org:acme/api.git',
    'https://GIT.example.org/acme/api',
    'ssh://git@git.example.org:2222/acme/api.git',
  ]) {
    await using set = await start()
    await set.upsert({ name: 'api', gitRemote })
    assert.deepEqual(await set.push(set.at('other/api')), { name: 'other-api', otherNames: undefined, changed: [] }, gitRemote)
    assert.deepEqual(await set.lastPushes(), [])
    assert.deepEqual(await set.push(set.at('acme/api')), { name: 'api', otherNames: undefined, changed: ['api'] }, gitRemote)
    assert.deepEqual(await set.lastPushes(), ['api'])
  }
})

test('a repo that is registered under another name than that of its code host receives its events under it', async () => {
  await using set = await start()
  await set.upsert({ name: 'frontend', gitRemote: 'git@git.example.org:acme/web.git' })
  assert.deepEqual(await set.push(set.at('acme/web')), { name: 'frontend', otherNames: ['web'], changed: ['frontend'] })
  await set.upsert({ name: 'web', gitRemote: 'git@git.example.org:other/web.git' })
  const { otherNames } = await set.push(set.at('acme/web'))
  assert.equal(otherNames, undefined, 'the name is that of another repo by now')
})

test('a repo that is registered by name alone takes no events of the repo that is registered with their remote', async () => {
  await using set = await start()
  await set.upsert({ name: 'frontend', gitRemote: 'git@git.example.org:acme/web.git' })
  await set.upsert({ name: 'web' })
  const { name, changed } = await set.push(set.at('acme/web'))
  assert.deepEqual([name, changed], ['frontend', ['frontend']])
})

test('a repo that is registered by name alone receives its events also once a tenant has all of its names for remotes', async () => {
  await using set = await start()
  await set.upsert({ name: 'api' })
  for (let n = 0; n < 1_000; n++) await set.push(set.at(`acme/other-${n}`))
  assert.equal((await set.push(set.at('acme/api'))).name, 'api')
  assert.notEqual((await set.push(set.at('acme/late'))).name, 'late')
})

test('a repo that is registered without a remote receives the events of its name, and keeps them for the remote that was first', async () => {
  await using set = await start()
  await set.upsert({ name: 'api' })
  assert.equal((await set.push(set.at('acme/api'))).name, 'api')
  assert.equal((await set.push(set.at('other/api'))).name, 'other-api')
  assert.equal((await set.push(set.at('acme/api'))).name, 'api')
  assert.deepEqual(await set.lastPushes(), ['api'])
  await set.upsert({ name: 'api', gitRemote: 'git@git.example.org:other/api.git' })
  assert.equal((await set.push(set.at('other/api'))).name, 'api', 'the registration says whose the name is')
  assert.equal((await set.push(set.at('acme/api'))).name, 'acme-api')
})

test('of two remotes that nobody registered, the first to store something keeps the plain name; a check and a tag keep none', async () => {
  await using set = await start()
  const check = { conclusion: 'failure', head_sha: 'c0ffee', name: 'unit' }
  await set.send('check_run', { check_run: check, repository: set.at('acme/api') })
  await set.send('push', { ref: 'refs/tags/v1', after: 'c0ffee', repository: set.at('acme/api') })
  assert.equal(told.at(-1)?.name, 'api')
  assert.equal((await set.push(set.at('other/api'))).name, 'api')
  await set.send('check_run', { check_run: check, repository: set.at('acme/api') })
  assert.equal(told.at(-1)?.name, 'acme-api')
  assert.equal((await set.push(set.at('acme/api'))).name, 'acme-api')
  assert.equal((await set.push(set.at('other/api'))).name, 'api')
})

test('a repo keeps the spelling of its code host, and its earlier name when it is registered under another one', async () => {
  await using set = await start()
  assert.equal((await set.push(set.at('Acme/API', 'github.com'))).name, 'API')
  await set.upsert({ name: 'backend', gitRemote: 'git@github.com:acme/api' })
  assert.deepEqual(await set.push(set.at('Acme/API', 'github.com')), { name: 'backend', otherNames: ['API'], changed: ['backend'] })
})

test('the folder of a managed repo says its remote, also one that the code host serves under a second host', async () => {
  await using set = await start()
  const path = join(set.folder, 'api')
  await mkdir(path)
  runGit(path, 'init', '-q')
  runGit(path, 'remote', 'add', 'origin', 'git@ssh.example.org:acme/api.git')
  await writeFile(set.file, JSON.stringify([{ name: 'api', path }]))
  assert.equal((await set.push(set.at('other/api'))).name, 'other-api')
  const split = { ...set.at('acme/api'), ssh_url: 'git@ssh.example.org:acme/api.git' }
  assert.deepEqual(await set.push(split), { name: 'api', otherNames: undefined, changed: ['api'] })
})

test('a name kept for one address of a repo counts for its other addresses', async () => {
  await using set = await start()
  const ssh = 'git@ssh.example.org:acme/api.git'
  assert.equal((await set.push({ name: 'api', full_name: 'acme/api', ssh_url: ssh })).name, 'api')
  assert.equal((await set.push({ ...set.at('acme/api'), ssh_url: ssh })).name, 'api')
})

test('a remote with an alias of the ssh configuration is the repo of its path; one at another host is another repo', async () => {
  for (const [gitRemote, name] of [
    ['git@github.com-work:acme/api.git', 'api'],
    ['work:Acme/api', 'api'],
    ['git@github.com-work:other/api.git', 'acme-api'],
    ['git@gitlab.com:acme/api.git', 'acme-api'],
  ]) {
    await using set = await start()
    await set.upsert({ name: 'api', gitRemote })
    assert.equal((await set.push(set.at('acme/api', 'github.com'))).name, name, gitRemote)
  }
})

test('events without a usable remote or name go by the name, and an invalid list of repos loses no event', async () => {
  await using set = await start()
  await set.upsert({ name: 'api', gitRemote: 'git@git.example.org:acme/api.git' })
  for (const clone_url of [undefined, '/srv/git/api.git', 'ext::sh', 'two words', 7, `https://git.example.org/${'a'.repeat(600)}`])
    assert.equal((await set.push({ name: 'api', full_name: 'other/api', clone_url })).name, 'api', String(clone_url))
  assert.equal((await set.push({ ...set.at('acme/-'), name: '-' })).name, '-')
  assert.equal((await set.push({ ...set.at('acme/api'), name: 'a/b:c' })).name, 'api')
  await writeFile(set.file, '{')
  assert.equal((await set.push(set.at('acme/api'))).name, 'api')
  assert.equal((await set.push(set.at('other/api'))).name, 'other-api')
})

test('pull requests and reviews, and events of a host with projects, are told with the name of their remote', async () => {
  await using set = await start()
  await set.upsert({ name: 'api', gitRemote: 'git@git.example.org:acme/api.git' })
  const repository = set.at('other/api')
  const pull_request = { html_url: 'https://git.example.org/other/api/pull/7', number: 7, state: 'open' }
  await set.send('pull_request', { pull_request, repository })
  assert.equal(told.at(-1)?.name, 'other-api')
  const review = { state: 'changes_requested', author_association: 'OWNER' }
  await set.send('pull_request_review', { action: 'submitted', review, pull_request, repository })
  assert.equal(told.at(-1)?.name, 'other-api')
  const path = { path_with_namespace: 'acme/api', git_http_url: 'https://git.example.org/acme/api.git' }
  await set.send('x', { object_kind: 'push', ref: 'refs/heads/main', after: 'c0ffee', project: path })
  assert.equal(told.at(-1)?.name, 'api')
  await set.send('x', {
    object_kind: 'push',
    ref: 'refs/heads/main',
    after: 'c0ffee',
    project: { path_with_namespace: 'other/api', git_http_url: 'https://git.example.org/other/api.git' },
  })
  assert.equal(told.at(-1)?.name, 'other-api')
})
