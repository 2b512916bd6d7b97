import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterAttempt, HOLDS_LINE } from '../src/rules/after-attempt.ts'
import { backoff } from '../src/rules/backoff.ts'
import { deliveryBody } from '../src/rules/body.ts'
import { readNews } from '../src/rules/code-hosting.ts'
import { isSignedWith } from '../src/rules/inbound-signature.ts'
import { signed } from './support.ts'

const NOW = new Date('2026-01-05T09:00:00.000Z')
const attempt = { at: NOW.toISOString(), ms: 5, delivered: false, status: 500 }
const fresh = { attempts: 0, lastAttempts: [] }

test('attempts come after 10 seconds, then after twice as long each time, and at least once an hour', () => {
  assert.deepEqual(
    [1, 2, 3, 8, 9, 10, 5_000].map((failures) => backoff(failures)),
    [10, 20, 40, 1_280, 2_560, 3_600, 3_600],
  )
})

test('a receiver’s wish is kept where it is longer than the backoff, up to an hour', () => {
  assert.deepEqual([backoff(1, 60), backoff(5, 60), backoff(1, 90_000)], [60, 160, 3_600])
})

test('a delivery that was taken ends what failed before it', () => {
  const next = afterAttempt({ failures: 3, failingSince: NOW.toISOString() }, fresh, { ...attempt, delivered: true, status: 204 }, NOW, 72)
  assert.deepEqual([next.fate, next.failures, next.failingSince, next.cooldownSeconds], ['delivered', 0, undefined, 0])
})

test('the line waits for its head four times, and then lets the others pass', () => {
  const fates = Array.from({ length: 6 }, (_, attempts) => afterAttempt({ failures: attempts }, { ...fresh, attempts }, attempt, NOW, 72))
  assert.deepEqual(
    fates.map(({ fate }) => fate),
    ['in-line', 'in-line', 'in-line', 'in-line', 'apart', 'apart'],
  )
  assert.equal(fates[HOLDS_LINE - 1]?.cooldownSeconds, 0, 'the next one shows whether it is the receiver')
  assert.equal(fates[HOLDS_LINE]?.cooldownSeconds, 320, 'it is')
})

test('in an outage the webhook is disabled before any delivery is given up', () => {
  const since = new Date(NOW.getTime() - 72 * 3_600_000).toISOString()
  const next = afterAttempt(
    { failures: 90, failingSince: since },
    { attempts: 80, lastAttempts: [], firstFailedAt: since },
    attempt,
    NOW,
    72,
  )
  assert.deepEqual([next.fate, next.disable], ['in-line', 'unreachable'])
  const alone = afterAttempt({ failures: 0 }, { attempts: 80, lastAttempts: [], firstFailedAt: since }, attempt, NOW, 72)
  assert.deepEqual([alone.fate, alone.disable], ['given-up', undefined])
})

test('the latest ten attempts are kept', () => {
  let lastAttempts: readonly { at: string; ms: number }[] = []
  for (let ms = 0; ms < 15; ms++)
    ({ lastAttempts } = afterAttempt({ failures: 0 }, { attempts: ms, lastAttempts: [...lastAttempts] }, { ...attempt, ms }, NOW, 72))
  assert.deepEqual(
    lastAttempts.map(({ ms }) => ms),
    [5, 6, 7, 8, 9, 10, 11, 12, 13, 14],
  )
})

test('a body at the limit has its data, and one beyond it says how large they are', () => {
  const told = { id: 'event-1', event: 'bell.rang', at: NOW, tenantId: 'acme', data: { text: '☃' } }
  const whole = deliveryBody(told, 1_000)
  assert.equal(deliveryBody(told, Buffer.byteLength(whole)), whole)
  assert.equal(JSON.parse(deliveryBody(told, Buffer.byteLength(whole) - 1)).omittedBytes, Buffer.byteLength('{"text":"☃"}'))
})

test('a signature holds for its bytes and secret alone, in either case of its hex digits', () => {
  const body = Buffer.from('{"a":1}')
  const right = signed(body, 's1')
  assert.equal(isSignedWith('s1', body, right), true)
  assert.equal(
    isSignedWith(
      's1',
      body,
      right.replace(/[a-f]/g, (digit) => digit.toUpperCase()),
    ),
    true,
  )
  for (const wrong of [undefined, '', 'sha256=', right.slice(7), `${right}0`, right.replace('sha256', 'sha1'), signed(body, 's2')])
    assert.equal(isSignedWith('s1', body, wrong), false, String(wrong))
})

test('tags, deleted branches and odd payloads are told from pushes to branches', () => {
  const repository = { name: 'gateway' }
  const news = (payload: unknown, event = 'push') => readNews(event, payload, 'now')
  const repo = { name: 'gateway', fullName: 'gateway' }
  assert.deepEqual(news({ ref: 'refs/tags/v1', after: 'a1', repository }), {
    kind: 'push',
    push: { repo, tag: 'v1', commit: 'a1', receivedAt: 'now' },
  })
  assert.deepEqual(news({ ref: 'refs/heads/old', after: '0'.repeat(40), repository }), {
    kind: 'push',
    push: { repo, branch: 'old', receivedAt: 'now' },
  })
  const told = (more: object) => {
    const pull_request = { html_url: 'https://code.example/acme/gateway/pull/1', number: 1, ...more }
    const read = news({ pull_request, repository: { ...repository, full_name: 'acme/gateway' } }, 'pull_request')
    return read?.kind === 'pull-request' && read.pullRequest.isInside
  }
  const fork = { head: { ref: 'x', repo: { full_name: 'x/gateway' } } }
  assert.deepEqual(
    [told({ head: { repo: null } }), told(fork), told({ ...fork, author_association: 'CONTRIBUTOR' })],
    [false, false, false],
  )
  for (const without of [{}, { head: { ref: 'x' } }]) assert.equal(told(without), true, 'a host without forks')
  assert.equal(told({ head: { repo: { full_name: 'acme/gateway' } } }), true)
  for (const author_association of ['OWNER', 'MEMBER', 'COLLABORATOR']) assert.equal(told({ ...fork, author_association }), true)
  for (const odd of [
    null,
    7,
    [],
    {},
    { ref: 'refs/heads/main' },
    { ref: {}, repository },
    { ref: 'main', repository },
    { repository: 'x' },
  ])
    assert.equal(news(odd), undefined)
  assert.equal(news({ pull_request: { html_url: 'javascript:alert(1)', number: 1 }, repository }, 'pull_request'), undefined)
  assert.equal(news({ ref: 'refs/heads/main', repository }, 'release'), undefined)
})
